import type { Execution } from '@switchyard/client';
import { executionText } from './execution-text';
import { bareValue, type DisplayOptions, type Printer } from './printer';
import { elapsedNote } from './timestamps';
import { pick, valueAt } from './value-path';
import type { Command } from 'commander';

export interface ExecutionDisplay extends DisplayOptions {
  /** Only the value at this path of the result. */
  key?: string;
  /** A property table instead of lines. */
  detail?: boolean;
}

export const withExecutionDisplay = (command: Command): Command =>
  command
    .option('-k, --key <path>', 'print only this part of the result, such as stdout')
    .option('-d, --detail', 'show a table of properties');

const COLUMNS = ['id', 'action.ref', 'context.user', 'parameters', 'status', 'start_timestamp', 'end_timestamp'];
/** What is shown after `run`, in this order. */
export const RUN_ATTRIBUTES: readonly string[] = [...COLUMNS, 'result'];
/** What `execution get` shows. */
export const GET_ATTRIBUTES: readonly string[] = [...COLUMNS, 'log', 'result'];

export interface ShowOptions {
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
  { attributes: defaults, elapsed, timezone, many = false }: ShowOptions,
): Promise<void> {
  const { key } = display;
  const attributes = chosen(display, defaults, executions);
  if (printer.format) {
    const documents = executions.map((execution) =>
      key === undefined ? pick(execution, attributes) : (valueAt(execution.result, key) ?? null),
    );
    return printer.document(executions.length === 1 && !many ? documents[0] : documents);
  }
  if (key !== undefined) return executions.forEach(({ result }) => printer.line(bareValue(valueAt(result, key))));
  if (display.detail)
    return printer.records(
      executions.map((each) => withNote(each, elapsed)),
      { columns: attributes },
    );
  for (const [index, execution] of executions.entries()) {
    if (index > 0) printer.line();
    const note = elapsed ? elapsedNote(execution) : '';
    printer.line(
      (await executionText(execution, attributes, { timezone, colour: printer.colour, elapsed: note })).trimEnd(),
    );
  }
}

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
