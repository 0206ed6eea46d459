import type { Barrier, Transition } from '../graph';
import { COMPLETED } from '../machines';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import { fresh } from './fresh';

export interface Arrival {
  readonly arrow: Transition;
  readonly entry: Entry;
  readonly context: number;
  readonly route: number;
}

/**
 * A join counts the distinct tasks that have arrived since it ran last (I5). A join that asks for a number runs once for
 * all its sources: what comes after it ran is kept as late, and feeds the output.
 * @returns undefined when the arrival was late
 */
export function arriveAtJoin(core: Core, barrier: Barrier, arrival: Arrival): Staged | undefined {
  if (isLate(core, arrival)) return void noteLate(core, barrier, arrival);
  const { state } = core;
  const { arrow, entry, context, route } = arrival;
  const known = state.staging.arrivalsAt(arrow.to, route).get(arrow.from);
  state.addArrival({
    ...{ task: arrow.to, route, source: arrow.from, late: false },
    prev: { ...known?.prev, [arrow.backId]: entry.index },
    context: known === undefined ? context : state.contexts.merge(known.context, context),
  });
  const ready = hasCome(core, barrier, { task: arrow.to, route });
  const waiting = state.staging.of(arrow.to, route);
  if (waiting === undefined) return state.staging.add({ ...fresh(core, arrow.to, route), context, prev: {}, ready });
  state.staging.patch(waiting, { context: state.contexts.merge(waiting.context, context), ready });
  return waiting;
}

/** Whether enough sources have come. One that has come and runs once more, in a loop or after a rerun, is waited for. */
export function hasCome(core: Core, { required }: Barrier, { task, route }: Pick<Staged, 'task' | 'route'>): boolean {
  const sources = [...core.state.staging.arrivalsAt(task, route).keys()];
  if (sources.length < required || !mayRepeat(core)) return sources.length >= required;
  return sources.filter((source) => !runsAgain(core, source, route)).length >= required;
}

/** Whether a source that has come has been started anew. */
export const runsAgain = (core: Core, source: string, route: number): boolean =>
  !COMPLETED.has(core.state.entries.latestOf(source, route)?.status ?? null);

/** Whether tasks may run more than once in a route. */
export const mayRepeat = (core: Core): boolean => core.graph.joinsRepeat || core.state.head.reruns > 0;

/** The sources of the join's entry; they are used up, or wait as late ones for those still to come. */
export function passJoin(core: Core, barrier: Barrier, { task, route, prev: known }: Staged): Record<string, number> {
  const { state } = core;
  const arrivals = [...state.staging.arrivalsAt(task, route).values()].filter(({ late }) => !late);
  if (arrivals.length < barrier.sources) for (const arrival of arrivals) state.addArrival({ ...arrival, late: true });
  else state.staging.removeArrivals(task, route);
  return Object.assign({ ...known }, ...arrivals.map(({ prev }) => prev)) as Record<string, number>;
}

/** Whether the join has run without this source, which has not come again by way of the join itself. */
function isLate(core: Core, { arrow, entry, route }: Arrival): boolean {
  const arrivals = core.state.staging.arrivalsAt(arrow.to, route);
  const [first] = arrivals.values();
  if (first?.late !== true) return false;
  const ran = core.state.entries.latestOf(arrow.to, route);
  if (!arrivals.has(arrow.from) && ran !== undefined && !descends(core, entry, ran)) return true;
  core.state.staging.removeArrivals(arrow.to, route);
  return false;
}

function noteLate(core: Core, barrier: Barrier, { arrow, entry, context, route }: Arrival): void {
  const { state } = core;
  state.entries.patch(entry, { terminal: true, leaf: context });
  state.addArrival({ task: arrow.to, route, source: arrow.from, late: true, prev: {}, context });
  if (state.staging.arrivalsAt(arrow.to, route).size === barrier.sources) state.staging.removeArrivals(arrow.to, route);
}

function descends(core: Core, entry: Entry, ancestor: Entry): boolean {
  const seen = new Set([entry.index]);
  for (const index of seen) {
    if (index === ancestor.index) return true;
    for (const source of Object.values(core.state.entries.all[index]!.prev))
      if (source >= ancestor.index) seen.add(source);
  }
  return false;
}
