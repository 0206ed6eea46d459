import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { svc, type Finished } from './run-svc';

const DIST = join(__dirname, '../../dist');

export interface DefinedCommand {
  /** Words after `svc`, such as `execution list`. */
  readonly path: string;
  readonly options: readonly string[];
  readonly arguments: readonly string[];
}

export interface DefinedGroup {
  readonly name: string;
  readonly description: string;
  /** The group itself, if it is a command. */
  readonly commands: readonly DefinedCommand[];
}

const READ = `
  const { Command } = require('commander');
  const { commandGroups } = require(process.argv[1]);
  const defined = (command, path) => ({
    path,
    options: command.options.filter(({ hidden }) => !hidden).map(({ long }) => long),
    arguments: command.registeredArguments.map((argument) => argument.name()),
  });
  const leaves = (command, path) =>
    command.commands.length === 0
      ? [defined(command, path)]
      : command.commands.flatMap((below) => leaves(below, path + ' ' + below.name()));
  (async () => {
    const groups = [];
    for (const { name, description, load } of commandGroups) {
      const group = new Command(name);
      (await load())(group, {});
      groups.push({ name, description, commands: leaves(group, name) });
    }
    console.log(JSON.stringify(groups));
  })();
`;

/** All groups and commands of the built command. */
export function commandTable(): DefinedGroup[] {
  const groups = join(DIST, 'program/command-groups.js');
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', READ, groups], { cwd: __dirname, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as DefinedGroup[];
}

/** Runs command lines one after the other. */
export async function svcBatch(
  lines: readonly (readonly string[])[],
  env: Record<string, string> = {},
): Promise<Finished[]> {
  const runs: Finished[] = [];
  for (const words of lines) runs.push(await svc(words, { HOME: '/nowhere', ...env }));
  return runs;
}
