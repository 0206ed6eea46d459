import { isWorkflow, type Client, type Execution } from '@switchyard/client';
import type { Schema } from '@switchyard/model';
import { CommandError } from '../exit-codes';
import type { ExecutionDisplay } from '../program/execution-options';
import { elapsedNote, executionText } from './execution-text';
import { bareValue, type DisplayOptions, type Printer } from './printer';
import { yamlText } from './structured';
import { suggestedSchema } from './suggested-schema';
import { taskRecords, taskTable } from './task-table';
import { pick, valueAtPath } from './value-path';

const COLUMNS = ['id', 'action.ref', 'context.user', 'parameters', 'status', 'start_timestamp', 'end_timestamp'];
/** The attributes that `run` shows, in this order. */
export const RUN_ATTRIBUTES: readonly string[] = [...COLUMNS, 'result'];
/** The attributes that `execution get` shows. */
export const GET_ATTRIBUTES: readonly string[] = [...COLUMNS, 'log', 'result'];

/** The attributes of a workflow. Its result, which may be long, comes right above the table of its tasks. */
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
  /** Whether the status includes the elapsed time. */
  readonly elapsed: boolean;
  readonly timezone: string;
  /** The user requested several: JSON and YAML are lists, even with a single item. */
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
  if (key !== undefined) return executions.forEach(({ result }) => printer.line(bareValue(valueAtPath(result, key))));
  for (const [index, execution] of executions.entries()) {
    if (index > 0 && !display.detail) printer.line();
    await (display.detail ? showDetail : showText)(printer, execution, display, options);
    if (display.withSchema) await showSuggestion(printer, execution);
  }
}

function showDetail(
  printer: Printer,
  execution: Execution,
  display: ExecutionDisplay,
  { attributes: defaults, elapsed }: ShowOptions,
): Promise<void> {
  return printer.records([withNote(execution, display, elapsed)], { columns: chosen(display, defaults, [execution]) });
}

async function showText(
  printer: Printer,
  execution: Execution,
  display: ExecutionDisplay,
  { client, attributes: defaults, elapsed, timezone }: ShowOptions,
): Promise<void> {
  const withTasks = showsTasks(execution, display);
  const attributes = chosen(display, withTasks ? WORKFLOW_ATTRIBUTES : defaults, [execution]);
  const look = { timezone, colour: printer.colour, elapsed: noteOf(execution, display, elapsed) };
  printer.line((await executionText(execution, attributes, look)).trimEnd());
  if (!withTasks) return;
  const below = await client.executions.descendants(execution.id, display.depth);
  await taskTable(printer, execution.id, below, display.showTasks ?? false);
}

/** Prints the schema in the form that the metadata of an action uses. */
async function showSuggestion(printer: Printer, execution: Execution): Promise<void> {
  const schema = suggestion(printer, execution);
  if (!schema) return;
  const text = await yamlText({ output_schema: schema }, 2);
  printer.line(`\nThe output fits this schema:\n\n${text.trimEnd()}`);
}

function suggestion(printer: Printer, execution: Execution): Schema | undefined {
  const suggested = suggestedSchema(execution);
  if ('schema' in suggested) return suggested.schema;
  printer.note(suggested.reason);
  return undefined;
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
    if (key !== undefined) documents.push(valueAtPath(execution.result, key) ?? null);
    else {
      const below = showsTasks(execution, display)
        ? { children: taskRecords(await client.executions.descendants(execution.id, display.depth)) }
        : {};
      const schema = display.withSchema ? suggestion(printer, execution) : undefined;
      documents.push({ ...pick(execution, attributes), ...below, ...(schema && { suggested_output_schema: schema }) });
    }
  }
  return printer.document(executions.length === 1 && !many ? documents[0] : documents);
}

/** If the user selected attributes or a property table, nothing else is printed. */
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

/** The execution with the elapsed time after its status. */
export const withNote = (execution: Execution, display: DisplayOptions, elapsed = true): object => ({
  ...execution,
  status: `${execution.status}${noteOf(execution, display, elapsed)}`,
});

/** A status that the user selected by name is printed as stored, so that scripts can compare it. */
const noteOf = (execution: Execution, { attr }: DisplayOptions, elapsed: boolean): string =>
  elapsed && !attr?.includes('status') ? elapsedNote(execution) : '';
