import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

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

export interface BatchedRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const RUN = `
  const { Writable } = require('node:stream');
  const { runProgram } = require(process.argv[1]);
  const collect = (parts) => new Writable({ write: (part, _, done) => (parts.push(String(part)), done()) });
  (async () => {
    const runs = [];
    for (const words of JSON.parse(process.argv[2])) {
      const [out, err] = [[], []];
      const terminal = { env: process.env, home: '/nowhere', stdin: process.stdin, stdout: collect(out), stderr: collect(err) };
      const code = await runProgram(words, terminal, '0');
      runs.push({ code, stdout: out.join(''), stderr: err.join('') });
    }
    process.stdout.write(JSON.stringify(runs));
  })();
`;

/** Runs many command lines in one process, because starting a process for each row of a table would take too long. */
export async function svcBatch(
  lines: readonly (readonly string[])[],
  env: Record<string, string> = {},
): Promise<BatchedRun[]> {
  const program = join(DIST, 'program/run-program.js');
  const child = spawn(process.execPath, ['-e', RUN, program, JSON.stringify(lines)], { env, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece) => (stdout += String(piece)));
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  child.stdin.end();
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0 || stdout === '') throw new Error(`The commands ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout) as BatchedRun[];
}
