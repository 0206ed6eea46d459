import type { CurrentTask } from '@switchyard/expressions';
import type { TaskEntry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { RetryState } from '../state/documents';
import { COMPLETED } from '../machines';
import type { Core } from './core';
import { passJoin } from './joins';
import { attempt, isProblem } from './definition-values';
import { retryState } from './retry';

/** Turns a staged task into an entry without a status. */
export function openEntry(core: Core, staged: Staged): TaskEntry {
  const { task, route, round, phase, context, items, undoes, runOnFail } = staged;
  const { barrier } = core.graph.tasks.get(task)!;
  const prev = barrier === undefined || phase !== 'body' ? staged.prev : passJoin(core, barrier, staged);
  const retry = retryOf(core, staged);
  const entry = core.state.entries.add({
    ...{ task, route, round, phase, context, prev, next: {}, out: {}, status: null, terminal: false },
    ...(retry === undefined ? {} : { retry }),
    ...(items === undefined ? {} : { items, runOnFail }),
    ...(undoes === undefined ? {} : { undoes }),
  });
  core.state.staging.remove(staged);
  core.state.entries.feed(entry);
  return entry;
}

/** The retry rule is evaluated once, before the first attempt. */
export function retryOf(core: Core, { task, route, context }: Pick<Staged, 'task' | 'route' | 'context'>) {
  const rule = core.graph.tasks.get(task)?.retry;
  if (rule === undefined) return undefined;
  const variables = core.variablesOf({ context });
  const around = { variables, currentTask: { id: task, route, status: 'null' } };
  const outcome = attempt((): RetryState => retryState(core.evaluator, task, rule, around));
  if (!isProblem(outcome)) return outcome.value;
  core.logError(outcome.problem, { task_id: task, route });
  core.fail();
  return undefined;
}

/** The result of an ended task; for a with-items task the list of item results. */
export function taskResult(core: Core, entry: TaskEntry, given: unknown): unknown {
  const set = core.state.items.of(entry.items);
  if (set !== undefined) return set.results();
  return core.spec.tasks.get(entry.task)?.with === undefined ? (given ?? null) : [];
}

export const currentTask = ({ task, route, status }: TaskEntry, result: unknown): CurrentTask => ({
  id: task,
  route,
  status: status ?? 'null',
  result,
});

/** Records the end of an entry. The result is kept if a rollback may need it. */
export function noteEnd(core: Core, entry: TaskEntry, result: unknown): void {
  const { rollback } = core.spec.tasks.get(entry.task) ?? {};
  const mayBeUndone = entry.phase === 'body' && entry.status === 'succeeded' && rollback !== undefined;
  core.state.entries.patch(entry, { ended: core.state.count('ended'), ...(mayBeUndone ? { result } : {}) });
  if (mayBeUndone) core.state.entries.addUndoable(entry);
  core.state.entries.retire(entry);
}

/** A run of a task or of one of its items, named as in dispatches and events. */
export interface Underway {
  readonly task: string;
  readonly route: number;
  readonly round: number;
  readonly attempt: number;
  readonly item?: number;
}

/** A generator, as there may be as many as items. */
export function* underwayIn(core: Core): Generator<Underway, void, undefined> {
  for (const entry of core.state.entries.live) yield* runsOf(core, entry);
}

function* runsOf(
  { state }: Core,
  { task, route, round, retry, status, items }: TaskEntry,
): Generator<Underway, void, undefined> {
  if (status === null || status === 'retrying') return;
  const run = { task, route, round, attempt: retry?.tally ?? 0 };
  const set = state.items.of(items);
  if (set === undefined) return yield run;
  for (const item of set.runs)
    if (item !== undefined && !COMPLETED.has(item.status)) yield { ...run, item: item.index };
}
