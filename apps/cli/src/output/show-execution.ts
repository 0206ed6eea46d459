import { isWorkflow, type Client, type Execution } from '@switchyard/client';
import { CommandError } from '../exit-codes';
import { wholeNumber } from '../program/common-options';
import { executionText } from './execution-text';
import { bareValue, type DisplayOptions, type Printer } from './printer';
import { elapsedNote } from './timestamps';
import { taskRecords, taskTable } from './task-table';
import { pick, valueAt } from './value-path';
import type { Command } from 'commander';

export interface ExecutionDisplay extends DisplayOptions {
  /** Only the value at this path of the result. */
  key?: string;
  /** A property table instead of lines. */
  detail?: boolean;
  /** Nothing about the tasks of a workflow. */
  raw?: boolean;
  /** Every task of a workflow, however many there are. */
  showTasks?: boolean;
  /** So many levels of tasks. */
  depth?: number;
}

export const withExecutionDisplay = (command: Command): Command =>
  command
    .option('-k, --key <path>', 'print only this part of the result, such as stdout')
    .option('-d, --detail', 'show a table of properties')
    .option('--raw', 'a workflow without its tasks')
    .option('--show-tasks', 'all tasks of a workflow, each item too')
    .option('--depth <levels>', 'how deep to go into workflows within workflows; -1 for all', wholeNumber(-1), -1);

const COLUMNS = ['id', 'action.ref', 'context.user', 'parameters', 'status', 'start_timestamp', 'end_timestamp'];
/** What is shown after `run`, in this order. */
export const RUN_ATTRIBUTES: readonly string[] = [...COLUMNS, 'result'];
/** What `execution get` shows. */
export const GET_ATTRIBUTES: readonly string[] = [...COLUMNS, 'log', 'result'];

/** What is shown of a workflow: its result, which may be long, stands right above the table of its tasks. */
const WORKFLOW_ATTRIBUTES: readonly string[] = [
  'id',
  'action.ref',
  'parameters',
  'status',
  'start_timestamp',
  'end_timestamp',
  'log',
  'result',
];

export interface ShowOptions {
  readonly client: Client;
  readonly attributes: readonly string[];
  /** Whether the status tells how long it took. */
  readonly elapsed: boolean;
  readonly timezone: string;
  /** Several were asked for: a list in JSON and YAML, however many there are. */
  readonly many?: boolean;
}

/** Prints executions: their attributes, or one value of each result, as one document in JSON or YAML. */
export async function showExecutions(
  printer: Printer,
  executions: readonly Execution[],
  display: ExecutionDisplay,
  options: ShowOptions,
): Promise<void> {
  if (display.showTasks && !executions.every(isWorkflow))
    throw new CommandError('--show-tasks option can only be used with workflow actions');
  const { key } = display;
  if (printer.format) return showDocuments(printer, executions, display, options);
  if (key !== undefined) return executions.forEach(({ result }) => printer.line(bareValue(valueAt(result, key))));
  const { attributes: defaults, elapsed } = options;
  if (display.detail)
    return printer.records(
      executions.map((each) => withNote(each, elapsed)),
      { columns: chosen(display, defaults, executions) },
    );
  for (const [index, execution] of executions.entries()) {
    if (index > 0) printer.line();
    await showText(printer, execution, display, options);
  }
}

async function showText(
  printer: Printer,
  execution: Execution,
  display: ExecutionDisplay,
  { client, attributes: defaults, elapsed, timezone }: ShowOptions,
): Promise<void> {
  const withTasks = showsTasks(execution, display);
  const attributes = chosen(display, withTasks ? WORKFLOW_ATTRIBUTES : defaults, [execution]);
  const look = { timezone, colour: printer.colour, elapsed: elapsed ? elapsedNote(execution) : '' };
  printer.line((await executionText(execution, attributes, look)).trimEnd());
  if (!withTasks) return;
  const below = await client.executions.descendants(execution.id, display.depth);
  await taskTable(printer, execution.id, below, display.showTasks ?? false);
}

async function showDocuments(
  printer: Printer,
  executions: readonly Execution[],
  display: ExecutionDisplay,
  { client, attributes: defaults, many = false }: ShowOptions,
): Promise<void> {
  const { key } = display;
  const attributes = chosen(display, defaults, executions);
  const documents: unknown[] = [];
  for (const execution of executions) {
    if (key !== undefined) documents.push(valueAt(execution.result, key) ?? null);
    else if (!showsTasks(execution, display)) documents.push(pick(execution, attributes));
    else {
      const below = await client.executions.descendants(execution.id, display.depth);
      documents.push({ ...pick(execution, attributes), children: taskRecords(below) });
    }
  }
  return printer.document(executions.length === 1 && !many ? documents[0] : documents);
}

/** Whoever asks for certain attributes, or a table of properties, wants nothing else. */
const showsTasks = (execution: Execution, { key, raw, detail, attr, showTasks }: ExecutionDisplay): boolean =>
  isWorkflow(execution) && (showTasks === true || (key === undefined && !raw && !detail && !attr));

const chosen = (
  { attr }: DisplayOptions,
  defaults: readonly string[],
  executions: readonly Execution[],
): readonly string[] => {
  if (!attr) return defaults;
  return attr.includes('all') ? [...new Set(executions.flatMap((each) => Object.keys(each)))].sort() : attr;
};

/** The execution with a status for people. */
export const withNote = (execution: Execution, elapsed = true): object =>
  elapsed ? { ...execution, status: `${execution.status}${elapsedNote(execution)}` } : execution;
