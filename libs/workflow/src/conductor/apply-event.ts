import { afterAction, afterItem, COMPLETED, type Status } from '../machines';
import { groupOf } from '../state/items';
import type { Entry } from '../state/entries';
import { admit } from './admit';
import type { Core } from './core';
import { complete } from './complete';
import { itemOf, type AnyEvent } from './events';

/** Takes note of what happened to a task's action, or to the action of one of its items. */
export function applyEvent(core: Core, event: AnyEvent): void {
  const entry = admit(core, event);
  if (entry === undefined) return noteLateFailure(core, event);
  beginAttempt(core, entry);
  const status = statusAfter(core, entry, event);
  if (event.status === 'failed' && (status !== undefined || itemOf(event) !== undefined)) logFailure(core, event);
  if (status !== undefined) core.state.entries.setStatus(entry, status);
  if (entry.items !== undefined) core.state.entries.feed(entry);
  complete(core, entry, event.result, status !== undefined && COMPLETED.has(status));
}

/** A retry, or a task that a rerun has opened, starts with what was staged for it. */
function beginAttempt(core: Core, entry: Entry): void {
  const staged = core.state.staging.againOf(entry);
  if (staged === undefined) return;
  if (staged.items !== undefined) core.state.entries.patch(entry, { items: staged.items });
  core.state.staging.remove(staged);
}

function statusAfter(core: Core, entry: Entry, event: AnyEvent): Status | undefined {
  const item = itemOf(event);
  const before = entry.status ?? 'unset';
  if (item === undefined) return afterAction(before, event.status);
  const set = core.state.items.of(entry.items)!;
  set.set(item, event.status, event.result);
  return afterItem(before, event.status, { counts: set.counts, size: set.size, own: groupOf(event.status) });
}

/** Without a round it may be that of a second start, see `swallow`; the error log drops what it has already. */
function noteLateFailure(core: Core, event: AnyEvent): void {
  if (event.status === 'failed' && event.round === undefined) logFailure(core, event);
}

function logFailure(core: Core, { task, result }: AnyEvent): void {
  const about = result === undefined || result === null ? {} : { result };
  core.logError('Execution failed. See result for details.', { task_id: task, ...about });
}
