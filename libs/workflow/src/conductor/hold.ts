import { afterWorkflowRequest, isIncomplete } from '../machines';
import type { Entry } from '../state/entries';
import type { Core } from './core';

/**
 * Lets tasks know that the workflow was asked to pause or to end: a with-items task stops in the middle of its list, a task
 * that waits for its retry is not tried again after a cancellation.
 */
export function hold(core: Core, aim: 'pausing' | 'canceling'): void {
  for (const entry of [...core.state.entries.live]) {
    if (entry.phase !== 'body') continue;
    if (aim === 'canceling' && entry.status === 'retrying') giveUp(core, entry);
    else stopList(core, entry, aim);
  }
}

/**
 * Where the workflow pauses or ends because of another task, lists are stopped once none of their items is active: no more
 * of them is handed out, and nothing else would ever end them.
 * @returns the tasks whose status this has changed
 */
export function holdIdle(core: Core, aim: 'pausing' | 'canceling', among: Iterable<Entry>): Entry[] {
  return [...among].filter((entry) => {
    const set = core.state.items.of(entry.items);
    return entry.phase === 'body' && set !== undefined && set.counts.active === 0 && stopList(core, entry, aim);
  });
}

function stopList(core: Core, entry: Entry, aim: 'pausing' | 'canceling'): boolean {
  const set = core.state.items.of(entry.items);
  if (set === undefined || !isIncomplete(set.counts, set.size)) return false;
  const status = afterWorkflowRequest(entry.status ?? 'unset', aim, set.counts.active > 0);
  if (status === undefined) return false;
  core.state.entries.setStatus(entry, status);
  core.state.entries.feed(entry);
  return true;
}

function giveUp(core: Core, entry: Entry): void {
  const again = core.state.staging.againOf(entry);
  if (again !== undefined) core.state.staging.remove(again);
  core.state.entries.setStatus(entry, 'canceled');
}
