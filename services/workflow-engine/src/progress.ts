import { createOutputWriter, type OutputWriter } from '@switchyard/executions';
import { isTerminal, type Status } from '@switchyard/model';
import type { Changes, Conductor, EntryDocument } from '@switchyard/workflow';
import type { Engine, WorkflowRun } from './run';
import type { Submission } from './submissions';

/** More chunks of output than one step can give. */
const STEP_SEQUENCES = 2 ** 16;

type RunStatus = Conductor['status'];

/** Progress lines of a run, written to the output of its execution. */
export interface Progress {
  /** The lines about a step that is about to be written. */
  of(run: WorkflowRun, changes: Changes, submissions: readonly Submission[]): readonly string[];
  /** Adds lines to the output, once their step is written. Resolves when readers can have them. */
  tell(run: WorkflowRun, lines: readonly string[]): Promise<void>;
  /** Resolves when all lines are in the store. */
  finish(): Promise<void>;
}

/** @param known the status that was last written to the output */
export function createProgress({ config, store, executions, clock, logger }: Engine, known: RunStatus): Progress {
  let output: OutputWriter | undefined;
  let status = known;
  // Lines come with steps, so the revision gives numbers that a previous owner of the run cannot have used.
  const writerFor = ({ execution, history }: WorkflowRun): OutputWriter =>
    createOutputWriter({ output: store.output, announce: executions.announce, clock, logger }, execution, {
      before: history.revision * STEP_SEQUENCES,
    });
  return {
    of(run, changes, submissions) {
      const isFirst = run.history.revision === 0;
      const ended = endedIn(run, changes);
      return [
        ...(isFirst ? [`The workflow execution "${run.record._id}" is created.`] : []),
        ...ended.map((each) => `Task "${each.task}", route "${each.route}" has ended with status "${each.status}".`),
        ...nextLines(submissions, ended.length > 0),
        ...(isFirst && !run.conductor.isCompleted ? [] : statusLines(status, run.conductor.status)),
      ];
    },
    async tell(run, lines) {
      status = run.conductor.status;
      if (lines.length === 0 || !config.actionrunner.stream_output) return;
      output ??= writerFor(run);
      void output.write('output', lines.map((line) => `${line}\n`).join(''));
      await output.flush();
    },
    finish: async () => output?.finish(),
  };
}

function endedIn({ history }: WorkflowRun, { put }: Changes): EntryDocument[] {
  return put.filter(
    (document): document is EntryDocument =>
      document.kind === 'entry' &&
      document.status !== null &&
      isTerminal(document.status as Status) &&
      history.times.get(document.key)?.end === undefined,
  );
}

function nextLines(submissions: readonly Submission[], hasEnded: boolean): string[] {
  const tasks = new Map<string, Submission[]>();
  for (const submission of submissions) {
    const { task, route } = submission.command;
    const key = `${task} (route ${route})`;
    const others = tasks.get(key);
    if (others) others.push(submission);
    else tasks.set(key, [submission]);
  }
  if (tasks.size === 0) return hasEnded ? ['No tasks identified to execute next.'] : [];
  return [
    `Identified the following set of tasks to execute next: ${[...tasks.keys()].join(', ')}`,
    ...[...tasks.values()].map(requestLine),
  ];
}

function requestLine(submissions: readonly Submission[]): string {
  const { task, route, itemsCount } = submissions[0]!.command;
  const items = itemsCount === undefined ? '' : ` (${submissions.length} of ${itemsCount} items)`;
  return `Requesting execution for task "${task}", route "${route}"${items}.`;
}

function statusLines(before: RunStatus, status: RunStatus): string[] {
  if (status === before || status === 'unset') return [];
  return isTerminal(status as Status)
    ? [`The workflow execution is completed with status "${status}".`]
    : [`The status of the workflow execution is "${status}".`];
}
