import { afterAction, afterItem, COMPLETED, type WorkflowStatus, STARTING } from '../machines';
import { groupOf } from '../state/items';
import type { TaskEntry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import { completeTask } from './complete';
import { invalidTask, noSuchItem, notStaged } from './errors';
import { openEntry } from './entry';

/** Records what happened to the action of a task or of one of its items. */
export function applyEvent(core: Core, event: AnyEvent): void {
  const entry = admit(core, event);
  if (entry === undefined) return noteLateFailure(core, event);
  beginAttempt(core, entry);
  const status = statusAfter(core, entry, event);
  if (event.status === 'failed' && (status !== undefined || itemOfEvent(event) !== undefined)) logFailure(core, event);
  if (status !== undefined) core.state.entries.setStatus(entry, status);
  if (entry.items !== undefined) core.state.entries.feed(entry);
  completeTask(core, entry, event.result, status !== undefined && COMPLETED.has(status));
}

/** Starts a retry, or a task reopened by a rerun, with what was staged for it. */
function beginAttempt(core: Core, entry: TaskEntry): void {
  const staged = core.state.staging.againOf(entry);
  if (staged === undefined) return;
  if (staged.items !== undefined) core.state.entries.patch(entry, { items: staged.items });
  core.state.staging.remove(staged);
}

function statusAfter(core: Core, entry: TaskEntry, event: AnyEvent): WorkflowStatus | undefined {
  const item = itemOfEvent(event);
  const before = entry.status ?? 'unset';
  if (item === undefined) return afterAction(before, event.status);
  const set = core.state.items.of(entry.items)!;
  set.set(item, event.status, event.result);
  return afterItem(before, event.status, { counts: set.counts, size: set.size, own: groupOf(event.status) });
}

/** Without a round it may belong to a second start, see `swallow`; the error log ignores duplicates. */
function noteLateFailure(core: Core, event: AnyEvent): void {
  if (event.status === 'failed' && event.round === undefined) logFailure(core, event);
}

function logFailure(core: Core, { task, result }: AnyEvent): void {
  const about = result === undefined || result === null ? {} : { result };
  core.logError('Execution failed. See result for details.', { task_id: task, ...about });
}

/**
 * Finds the entry of an event, or opens one if the event starts a task.
 * @returns undefined to ignore the event: its run is over, or it says nothing new
 * @throws ConductorError when the task does not exist, or is neither staged nor started
 */
function admit(core: Core, event: AnyEvent): TaskEntry | undefined {
  const { task, route, round } = event;
  if (!core.graph.tasks.has(task)) throw invalidTask(task);
  const latest = core.state.entries.latestOf(task, route);
  const staged = core.state.staging.of(task, route);
  if (latest === undefined && staged?.ready !== true) throw notStaged(task);
  if (isStart(event, latest, staged)) return opened(core, event, staged);
  const entry = round === undefined ? latest : core.state.entries.find(task, route, round);
  if (entry === undefined || isOver(core, event, entry)) return undefined;
  checkItem(core, event, entry);
  if (round === undefined && STARTING.has(event.status)) swallow(core, entry, staged);
  return entry;
}

/** An event opens an entry by naming its round or, without a round, by starting a task that is not running. */
function isStart({ status, round }: AnyEvent, latest: TaskEntry | undefined, staged: Staged | undefined): boolean {
  if (round !== undefined && staged !== undefined) return round === staged.round;
  return latest === undefined || (round === undefined && COMPLETED.has(latest.status) && STARTING.has(status));
}

/** Without rounds, a second start of a running task looks like the first, so what was staged for it is dropped. */
function swallow(core: Core, entry: TaskEntry, staged: Staged | undefined): void {
  if (staged?.ready !== true || entry.status === 'retrying' || entry.status === null) return;
  core.state.staging.remove(staged);
  core.state.staging.removeArrivals(staged.task, staged.route);
}

/** Whether the entry, attempt or item has already ended. */
function isOver(core: Core, event: AnyEvent, entry: TaskEntry): boolean {
  if (COMPLETED.has(entry.status) || isStale(event, entry)) return true;
  if (entry.status === 'retrying') return afterAction('retrying', event.status) === undefined;
  const item = itemOfEvent(event);
  return item !== undefined && COMPLETED.has(core.state.items.of(entry.items)?.statusOf(item) ?? null);
}

function opened(core: Core, event: AnyEvent, staged: Staged | undefined): TaskEntry | undefined {
  if (staged?.ready !== true || isStale(event, staged)) return undefined;
  const item = itemOfEvent(event);
  const set = core.state.items.of(staged.items);
  if (item !== undefined && !(item < (set?.size ?? 0))) throw noSuchItem(event.task, item);
  const others = { counts: set?.counts ?? NO_ITEMS, size: set?.size ?? 0, own: groupOf(event.status) };
  const status = item === undefined ? afterAction('unset', event.status) : afterItem('unset', event.status, others);
  return status === undefined ? undefined : openEntry(core, staged);
}

const NO_ITEMS = { active: 0, paused: 0, canceled: 0, failed: 0, succeeded: 0 };

function checkItem(core: Core, event: AnyEvent, entry: TaskEntry): void {
  const item = itemOfEvent(event);
  const items = core.state.staging.againOf(entry)?.items ?? entry.items;
  if (item !== undefined && !(item < (core.state.items.of(items)?.size ?? 0))) throw noSuchItem(event.task, item);
}

function isStale({ round, attempt }: AnyEvent, run: TaskEntry | Staged): boolean {
  if (round !== undefined && round !== run.round) return true;
  return attempt !== undefined && attempt !== (run.retry?.tally ?? 0);
}

/** What happened to the action of a task. */
export interface TaskEvent {
  readonly task: string;
  readonly route: number;
  readonly status: WorkflowStatus;
  /** The action's result, with a completed status. */
  readonly result?: unknown;
  /** From the dispatch, if known: events of other runs of the task are then ignored. */
  readonly round?: number;
  /** From the dispatch: events of earlier attempts are then ignored. */
  readonly attempt?: number;
}

/** What happened to the action of one item of a with-items task. */
export interface ItemEvent extends TaskEvent {
  readonly item: number;
}

export type AnyEvent = TaskEvent | ItemEvent;

const itemOfEvent = (event: AnyEvent): number | undefined => ('item' in event ? event.item : undefined);
