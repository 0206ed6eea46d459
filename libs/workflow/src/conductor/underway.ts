import { COMPLETED } from '../machines';
import type { Entry } from '../state/entries';
import type { Core } from './core';

/** One run of a task, or of one of its items, by the names that hand-outs and events give it. */
export interface Underway {
  readonly task: string;
  readonly route: number;
  readonly round: number;
  readonly attempt: number;
  readonly item?: number;
}

export const underwayIn = (core: Core): Underway[] =>
  [...core.state.entries.live].flatMap((entry) => runsOf(core, entry));

function runsOf({ state }: Core, { task, route, round, retry, status, items }: Entry): Underway[] {
  if (status === null || status === 'retrying') return [];
  const run = { task, route, round, attempt: retry?.tally ?? 0 };
  const set = state.items.of(items);
  if (set === undefined) return [run];
  return set.runs.flatMap((item) =>
    item === undefined || COMPLETED.has(item.status) ? [] : [{ ...run, item: item.index }],
  );
}
