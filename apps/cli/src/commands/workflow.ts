import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '@switchyard/base';
import type { Command } from 'commander';
import type { RehearsalReport } from '@switchyard/workflow';
import { CommandError, exitCodes, usageError } from '../exit-codes';
import { parseStructured } from '../output/structured';
import type { CommandContext } from '../program/command-context';

/** Works on files alone: no server is asked. */
export function defineWorkflow(group: Command, context: CommandContext): void {
  group
    .command('inspect')
    .description('look for what is wrong in a workflow definition')
    .argument('[file]', 'the definition')
    .option('--file <path>', 'the same')
    .action((file: string | undefined, options: { file?: string }) => inspect(context, file ?? options.file));
  group
    .command('test')
    .description('run workflows on given answers of their actions, and compare what comes of it')
    .argument('<file...>', 'rehearsals, in YAML')
    .action((files: string[]) => test(context, files));
}

async function inspect(context: CommandContext, file: string | undefined): Promise<void> {
  if (file === undefined) throw usageError('Name the file with the workflow definition.');
  const { flatFindings, inspectWorkflow, workflowWarnings } = await import('@switchyard/workflow');
  const { stdout, stderr } = context.terminal;
  const text = read(file);
  const findings = explained(file, () => flatFindings(inspectWorkflow(text, { context: KNOWN_CONTEXT })));
  for (const { message, spec_path: path, line, column } of explained(file, () => workflowWarnings(text)))
    stderr.write(`warning: ${at(line, column)}${path ?? 'the definition'}: ${message}\n`);
  if (findings.length === 0) return void stdout.write('No errors found in workflow definition.\n');
  const { stringify } = await import('yaml');
  stdout.write(stringify(findings));
  context.exitCode = exitCodes.failed.code;
}

/** What each run knows besides its inputs. */
const KNOWN_CONTEXT = ['st2', 'parent'];

const at = (line: number | undefined, column: number | undefined): string =>
  line === undefined ? '' : `line ${line}, column ${column}: `;

async function test(context: CommandContext, files: readonly string[]): Promise<void> {
  let failed = 0;
  for (const file of files) {
    const { passed, differences } = await rehearseFile(file);
    context.terminal.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${file}\n`);
    for (const { what, expected, actual } of differences)
      context.terminal.stdout.write(
        `  ${what}\n    expected: ${JSON.stringify(expected)}\n    actual:   ${JSON.stringify(actual)}\n`,
      );
    if (!passed) failed += 1;
  }
  context.terminal.stdout.write(`${files.length - failed} passed, ${failed} failed\n`);
  if (failed > 0) context.exitCode = exitCodes.failed.code;
}

async function rehearseFile(file: string): Promise<RehearsalReport> {
  const { parseRehearsal, rehearse } = await import('@switchyard/workflow');
  const rehearsal = explained(file, () => parseRehearsal(read(file)));
  const directory = dirname(file);
  const definition = resolve(directory, rehearsal.workflow);
  const results = new Map<string, unknown>();
  for (const { resultPath } of rehearsal.mocks)
    if (resultPath !== undefined) results.set(resultPath, await readResult(resolve(directory, resultPath)));
  return explained(definition, () =>
    rehearse(read(definition), rehearsal, { readResult: (path) => results.get(path) }),
  );
}

/** A file of JSON or YAML gives its value, any other its text. */
async function readResult(path: string): Promise<unknown> {
  const text = read(path);
  return /\.(json|ya?ml)$/.test(path) ? parseStructured(text) : text;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`The file "${path}" cannot be read: ${messageOf(error)}`);
  }
}

/** Says which file an error is about, and where. */
function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { position } = error as { position?: { line: number; column: number } };
    const place = position ? `:${position.line}:${position.column}` : '';
    throw new CommandError(`${file}${place}: ${messageOf(error)}`, exitCodes.failed.code, { cause: error });
  }
}
