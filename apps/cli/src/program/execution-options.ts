import { Option, type Command } from 'commander';
import { usageError } from '../exit-codes';
import type { DisplayOptions } from '../output/printer';
import { withRunDisplay, wholeNumberOption, type CommonOptions } from './common-options';

export interface ExecutionDisplay extends DisplayOptions {
  /** Only the value at this path of the result. */
  key?: string;
  /** A property table instead of lines. */
  detail?: boolean;
  /** Leave out the tasks of a workflow. */
  raw?: boolean;
  /** Show every task of a workflow, however many there are. */
  showTasks?: boolean;
  /** The number of levels of tasks. */
  depth?: number;
  /** Suggest a schema that matches the result if the action has none. */
  withSchema?: boolean;
}

export const withExecutionDisplay = (command: Command): Command =>
  command
    .option('-k, --key <path>', 'Print only this part of the result, such as stdout')
    .option('-d, --detail', 'Show a table of properties')
    .option('--raw', 'Do not show the tasks of a workflow')
    .option('--show-tasks', 'Show all tasks of a workflow, including each item')
    .option('--depth <levels>', 'Show this many levels of nested workflows; -1 for all', wholeNumberOption(-1), -1)
    .addOption(
      new Option('--with-schema', 'Suggest an output schema that matches the result, if the action has none').conflicts(
        'key',
      ),
    );

export interface StartOptions extends CommonOptions, ExecutionDisplay {
  async?: boolean;
  tail?: boolean;
  watch?: boolean;
  autoDict?: boolean;
  inheritEnv?: boolean;
  delay?: number;
  pool?: string;
  user?: string;
  traceTag?: string;
  traceId?: string;
  help?: boolean;
}

/** The options of every command that starts an execution. */
export const withStartOptions = (command: Command): Command =>
  withExecutionDisplay(withRunDisplay(command))
    .option('-a, --async', 'Do not wait for the end')
    .option('--watch', 'Report the progress of workflow tasks on stderr, even if it is not a terminal')
    .option('-e, --inherit-env', 'Pass the environment of this shell as the parameter env')
    .option('--auto-dict', 'Read a:1,b:2 in a list parameter as an object')
    .option('--delay <ms>', 'Start after this delay', wholeNumberOption(0));

/** @throws CommandError for options that exclude each other, before anything is started */
export function checkStartOptions({ async, tail, watch, withSchema }: StartOptions): void {
  if (async && tail) throw usageError('Either --async or --tail.');
  if (async && withSchema) throw usageError('Either --async or --with-schema, which needs a result.');
  if (async && watch) throw usageError('Either --async or --watch.');
  if (tail && watch) throw usageError('Either --tail or --watch.');
}
