import { afterAction, afterItem, COMPLETED, STARTING } from '../machines';
import { groupOf } from '../state/items';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import { invalidTask, noSuchItem, notStaged } from './errors';
import { itemOf, type AnyEvent } from './events';
import { openEntry } from './open-entry';

/**
 * Finds the entry that an event is about, opening one where the event starts a task.
 * @returns undefined when the event is about a run that is over, or says nothing new: it is then ignored
 * @throws ConductorError when the task does not exist, or is neither staged nor started
 */
export function admit(core: Core, event: AnyEvent): Entry | undefined {
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

/** An event opens an entry by naming its round, or, where it names none, by starting a task that does not run. */
function isStart({ status, round }: AnyEvent, latest: Entry | undefined, staged: Staged | undefined): boolean {
  if (round !== undefined && staged !== undefined) return round === staged.round;
  return latest === undefined || (round === undefined && COMPLETED.has(latest.status) && STARTING.has(status));
}

/** Without rounds nothing tells a second start of a task that runs from the first: whatever led to it is used up. */
function swallow(core: Core, entry: Entry, staged: Staged | undefined): void {
  if (staged?.ready !== true || entry.status === 'retrying' || entry.status === null) return;
  core.state.staging.remove(staged);
  core.state.staging.removeArrivals(staged.task, staged.route);
}

/** What ends ends once: an entry, an attempt, an item. */
function isOver(core: Core, event: AnyEvent, entry: Entry): boolean {
  if (COMPLETED.has(entry.status) || isStale(event, entry)) return true;
  if (entry.status === 'retrying') return afterAction('retrying', event.status) === undefined;
  const item = itemOf(event);
  return item !== undefined && COMPLETED.has(core.state.items.of(entry.items)?.statusOf(item) ?? null);
}

function opened(core: Core, event: AnyEvent, staged: Staged | undefined): Entry | undefined {
  if (staged?.ready !== true || isStale(event, staged)) return undefined;
  const item = itemOf(event);
  const set = core.state.items.of(staged.items);
  if (item !== undefined && !(item < (set?.size ?? 0))) throw noSuchItem(event.task, item);
  const others = { counts: set?.counts ?? NO_ITEMS, size: set?.size ?? 0, own: groupOf(event.status) };
  const status = item === undefined ? afterAction('unset', event.status) : afterItem('unset', event.status, others);
  return status === undefined ? undefined : openEntry(core, staged);
}

const NO_ITEMS = { active: 0, paused: 0, canceled: 0, failed: 0, succeeded: 0 };

function checkItem(core: Core, event: AnyEvent, entry: Entry): void {
  const item = itemOf(event);
  const items = core.state.staging.againOf(entry)?.items ?? entry.items;
  if (item !== undefined && !(item < (core.state.items.of(items)?.size ?? 0))) throw noSuchItem(event.task, item);
}

function isStale({ round, attempt }: AnyEvent, run: Entry | Staged): boolean {
  if (round !== undefined && round !== run.round) return true;
  return attempt !== undefined && attempt !== (run.retry?.tally ?? 0);
}
