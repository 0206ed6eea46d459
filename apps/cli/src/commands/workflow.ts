import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '@switchyard/base';
import { ApiError, ConnectionError, type Client, type DefinitionFinding } from '@switchyard/client';
import type { Command } from 'commander';
import type { RehearsalReport } from '@switchyard/workflow';
import { CommandError, exitCodes, usageError } from '../exit-codes';
import type { DisplayOptions, Printer } from '../output/printer';
import { parseStructured } from '../output/structured';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, type CommonOptions } from '../program/common-options';

interface InspectOptions extends CommonOptions {
  file?: string;
  action?: string;
}

/** Inspections ask the server about actions. Rehearsals work on local files. */
export function defineWorkflow(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('inspect')))
    .description('Check a workflow definition for errors')
    .argument('[file]', 'file with the definition')
    .option('--file <path>', 'Read the definition from this file')
    .option('--action <ref>', 'Read the definition of this action from the server')
    .action((file: string | undefined, options: InspectOptions) => inspect(context, file ?? options.file, options));
  withFormats(group.command('test'))
    .description('Rehearse workflows with mocked actions, and compare the outcome')
    .argument('<file...>', 'rehearsals in YAML')
    .action((files: string[], options: DisplayOptions) => test(context.printer(options), context, files));
}

async function inspect(context: CommandContext, file: string | undefined, options: InspectOptions): Promise<void> {
  const { action: ref } = options;
  const source = file ?? ref;
  if (source === undefined || (file !== undefined && ref !== undefined))
    throw usageError('Give the file with the workflow definition, or the action with --action.');
  const { flatFindings, inspectWorkflow, workflowWarnings } = await import('@switchyard/workflow');
  const text = ref === undefined ? read(source) : await definitionOf(await context.client(options), ref);
  const found = explained(source, () => flatFindings(inspectWorkflow(text, { context: KNOWN_CONTEXT })));
  const printer = context.printer(options);
  const findings = (await findingsOfServer(context, printer, text, options)) ?? found;
  for (const { message, spec_path: path, line, column } of explained(source, () => workflowWarnings(text)))
    printer.note(`warning: ${at(line, column)}${path ?? 'file with the definition'}: ${message}`);
  if (findings.length > 0) context.exitCode = exitCodes.failed.code;
  if (printer.format) return printer.document(findings);
  if (findings.length === 0) return printer.line('No errors found in workflow definition.');
  const { stringify } = await import('yaml');
  printer.line(stringify(findings).trimEnd());
}

/** What the server finds, which knows the actions. @returns undefined without a server, or without a login */
async function findingsOfServer(
  context: CommandContext,
  printer: Printer,
  text: string,
  options: InspectOptions,
): Promise<DefinitionFinding[] | undefined> {
  try {
    return await (await context.client(options)).workflowDefinitions.inspect(text);
  } catch (error) {
    const isAbsent = error instanceof ConnectionError || (error instanceof ApiError && error.status === 401);
    if (!isAbsent) throw error;
    printer.note(`Actions and their inputs were not checked: ${error.message}`);
    return undefined;
  }
}

async function definitionOf({ actions }: Client, ref: string): Promise<string> {
  const { runner_type: runner } = await actions.get(ref);
  if (runner === 'orquesta') return actions.entryPoint(ref);
  throw new CommandError(`The action "${ref}" has no workflow definition: its runner is ${runner}, not orquesta.`);
}

/** Variables that exist in every run besides its inputs. */
const KNOWN_CONTEXT = ['st2', 'parent'];

const at = (line: number | undefined, column: number | undefined): string =>
  line === undefined ? '' : `line ${line}, column ${column}: `;

async function test(printer: Printer, context: CommandContext, files: readonly string[]): Promise<void> {
  const reports: ({ file: string } & RehearsalReport)[] = [];
  for (const file of files) {
    const report = { file, ...(await rehearseFile(file)) };
    reports.push(report);
    if (!printer.format) tellReport(printer, report);
  }
  const failed = reports.filter(({ passed }) => !passed).length;
  if (failed > 0) context.exitCode = exitCodes.failed.code;
  if (printer.format) return printer.document(reports);
  printer.line(`${files.length - failed} passed, ${failed} failed`);
}

function tellReport(printer: Printer, { file, passed, differences }: { file: string } & RehearsalReport): void {
  printer.line(`${passed ? 'passed' : 'FAILED'}  ${file}`);
  for (const { what, expected, actual } of differences) {
    printer.line(`  ${what}`);
    printer.line(`    expected: ${JSON.stringify(expected)}\n    actual:   ${JSON.stringify(actual)}`);
  }
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

/** The value of a JSON or YAML file, or the text of any other file. */
async function readResult(path: string): Promise<unknown> {
  const text = read(path);
  return /\.(json|ya?ml)$/.test(path) ? parseStructured(text) : text;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read the file "${path}": ${messageOf(error)}`);
  }
}

/** Adds the file and the position to an error. */
function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { position } = error as { position?: { line: number; column: number } };
    const place = position ? `:${position.line}:${position.column}` : '';
    throw new CommandError(`${file}${place}: ${messageOf(error)}`, exitCodes.failed.code, { cause: error });
  }
}
