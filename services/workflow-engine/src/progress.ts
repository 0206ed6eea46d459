import { createOutputWriter, type OutputWriter } from '@switchyard/executions';
import { isTerminal, type Status } from '@switchyard/model';
import type { Changes, Conductor, EntryDocument } from '@switchyard/workflow';
import type { Engine } from './engine';
import type { Placement } from './hand-out';
import type { Run } from './run';

/** More chunks of output than one step can give. */
const STEP_SEQUENCES = 2 ** 16;

type RunStatus = Conductor['status'];

/** What a user reads about a run while it goes on, in the output of its execution. */
export interface Progress {
  /** The lines about a step that is about to be written. */
  of(run: Run, changes: Changes, placements: readonly Placement[]): readonly string[];
  /** Adds lines to the output, once their step is written. Resolves when readers can have them. */
  tell(run: Run, lines: readonly string[]): Promise<void>;
  /** Resolves when all lines are in the store. */
  finish(): Promise<void>;
}

/** @param known the status that users have been told of */
export function createProgress({ config, store, executions, clock, logger }: Engine, known: RunStatus): Progress {
  let output: OutputWriter | undefined;
  let status = known;
  // A process that takes a run on goes on with numbers that the one before cannot have reached: its lines came with steps.
  const writerFor = ({ execution, history }: Run): OutputWriter =>
    createOutputWriter({ output: store.output, announce: executions.announce, clock, logger }, execution, {
      before: history.revision * STEP_SEQUENCES,
    });
  return {
    of(run, changes, placements) {
      const isFirst = run.history.revision === 0;
      const ended = endedIn(run, changes);
      return [
        ...(isFirst ? [`The workflow execution "${run.record._id}" is created.`] : []),
        ...ended.map((each) => `Task "${each.task}", route "${each.route}" has ended with status "${each.status}".`),
        ...nextLines(placements, ended.length > 0),
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

function endedIn({ history }: Run, { put }: Changes): EntryDocument[] {
  return put.filter(
    (document): document is EntryDocument =>
      document.kind === 'entry' &&
      document.status !== null &&
      isTerminal(document.status as Status) &&
      history.times.get(document.key)?.end === undefined,
  );
}

function nextLines(placements: readonly Placement[], hasEnded: boolean): string[] {
  const tasks = new Map<string, Placement[]>();
  for (const placement of placements) {
    const { task, route } = placement.order;
    const key = `${task} (route ${route})`;
    const others = tasks.get(key);
    if (others) others.push(placement);
    else tasks.set(key, [placement]);
  }
  if (tasks.size === 0) return hasEnded ? ['No tasks identified to execute next.'] : [];
  return [
    `Identified the following set of tasks to execute next: ${[...tasks.keys()].join(', ')}`,
    ...[...tasks.values()].map(requestLine),
  ];
}

function requestLine(placements: readonly Placement[]): string {
  const { task, route, itemsCount } = placements[0]!.order;
  const items = itemsCount === undefined ? '' : ` (${placements.length} of ${itemsCount} items)`;
  return `Requesting execution for task "${task}", route "${route}"${items}.`;
}

function statusLines(before: RunStatus, status: RunStatus): string[] {
  if (status === before || status === 'unset') return [];
  return isTerminal(status as Status)
    ? [`The workflow execution is completed with status "${status}".`]
    : [`The status of the workflow execution is "${status}".`];
}
