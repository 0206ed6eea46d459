import { type Barrier, type Transition, tasksLeadingTo } from '../graph';
import { COMPLETED } from '../machines';
import type { ArrivalDocument } from '../state/documents';
import type { TaskEntry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';

interface Arrival {
  readonly arrow: Transition;
  readonly entry: TaskEntry;
  readonly context: number;
  readonly route: number;
}

/**
 * A join counts the distinct tasks that have arrived since it last ran (I5). A join with a number runs once for all its
 * sources: later arrivals are kept as late, and feed the output.
 * @returns undefined for a late arrival
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

/**
 * Whether enough sources have arrived. A source that has arrived and runs again, in a loop or after a rerun, must
 * finish first.
 */
function hasCome(core: Core, { required }: Barrier, { task, route }: Pick<Staged, 'task' | 'route'>): boolean {
  const arrivals = [...core.state.staging.arrivalsAt(task, route).values()];
  if (arrivals.length < required || !mayRepeat(core)) return arrivals.length >= required;
  const counting = arrivals.filter((arrival) => !runsAgain(core, arrival.source, route) && !isRevoked(core, arrival));
  return counting.length >= required;
}

/** Whether a source has run again because of a rerun, and did not lead to the join this time. */
function isRevoked({ state: { entries } }: Core, { source, route, prev }: ArrivalDocument): boolean {
  const arrived = Object.values(prev);
  const latest = entries.latestOf(source, route);
  return (
    latest !== undefined && !arrived.includes(latest.index) && arrived.every((at) => entries.all[at]!.stale === true)
  );
}

/** Whether a source that has arrived is running again. */
const runsAgain = (core: Core, source: string, route: number): boolean =>
  !COMPLETED.has(core.state.entries.latestOf(source, route)?.status ?? null);

/** Whether tasks may run more than once in a route. */
const mayRepeat = (core: Core): boolean => core.graph.joinsRepeat || core.state.head.reruns > 0;

/** The sources of the join's entry. They are consumed, or kept as late if others are still missing. */
export function passJoin(core: Core, barrier: Barrier, { task, route, prev: known }: Staged): Record<string, number> {
  const { state } = core;
  const arrivals = [...state.staging.arrivalsAt(task, route).values()].filter(({ late }) => !late);
  if (arrivals.length < barrier.sources) for (const arrival of arrivals) state.addArrival({ ...arrival, late: true });
  else state.staging.removeArrivals(task, route);
  return Object.assign({ ...known }, ...arrivals.map(({ prev }) => prev)) as Record<string, number>;
}

/** Whether the join has run without this source, unless the source follows from the join itself. */
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

function descends(core: Core, entry: TaskEntry, ancestor: TaskEntry): boolean {
  const seen = new Set([entry.index]);
  for (const index of seen) {
    if (index === ancestor.index) return true;
    for (const source of Object.values(core.state.entries.all[index]!.prev))
      if (source >= ancestor.index) seen.add(source);
  }
  return false;
}

/** The initial fields of every staged task of the body. */
export function fresh(core: Core, task: string, route: number) {
  const round = (core.state.entries.latestOf(task, route)?.round ?? 0) + 1;
  return { task, route, round, again: false, phase: 'body', runOnFail: false } as const;
}

/** A source that still counts from the join's last run, with its context. */
interface Standing {
  readonly backId: string;
  readonly source: TaskEntry;
  readonly context: number;
}

/**
 * A join that runs again, in or after a loop or after a rerun, does not need all its sources again: those of its last
 * run still count once no running task leads to them. A join that waits only for a source that is running again is
 * ready when that source has ended, wherever it led.
 */
export function settleJoins(core: Core): void {
  if (!mayRepeat(core)) return;
  for (const waiting of [...core.state.staging.waiting]) {
    const ran = core.state.entries.latestOf(waiting.task, waiting.route);
    const { barrier } = core.graph.tasks.get(waiting.task)!;
    if (barrier === undefined) continue;
    if (hasCome(core, barrier, waiting)) core.state.staging.patch(waiting, { ready: true });
    else if (ran !== undefined) settle(core, waiting, { ran, barrier });
  }
}

function settle(core: Core, waiting: Staged, { ran, barrier }: { ran: TaskEntry; barrier: Barrier }): void {
  const arrivals = core.state.staging.arrivalsAt(waiting.task, waiting.route);
  const standing = standingSources(core, waiting, ran).filter(({ source }) => !arrivals.has(source.task));
  const sources = new Set(standing.map(({ source }) => source.task));
  const counting = [...arrivals.values()].filter((arrival) => !isRevoked(core, arrival));
  if (counting.length + sources.size < barrier.required) return;
  if ([...arrivals.keys()].some((source) => runsAgain(core, source, waiting.route))) return;
  if ([...sources].some((source) => isOnItsWay(core, source, waiting))) return;
  takeOver(core, waiting, standing);
}

function standingSources(core: Core, { task }: Staged, ran: TaskEntry): Standing[] {
  return Object.entries(ran.prev).flatMap(([backId, index]) => {
    const source = core.state.entries.all[index]!;
    const isCurrent = source.stale !== true && core.state.entries.latestOf(source.task, source.route) === source;
    const arrow = core.graph.tasks.get(source.task)?.next.find((next) => next.to === task && next.backId === backId);
    const context = arrow === undefined ? undefined : source.out[arrow.id];
    return isCurrent && context !== undefined ? [{ backId, source, context }] : [];
  });
}

/** Whether a staged or running task in the join's route leads to one of its sources without passing the join. */
function isOnItsWay(core: Core, source: string, join: Staged): boolean {
  const leading = tasksLeadingTo(core.graph, source, join.task);
  const leads = ({ task, route }: Staged | TaskEntry): boolean => route === join.route && leading.has(task);
  return [...core.state.entries.live].some(leads) || [...core.state.staging.all.values()].some(leads);
}

/** Earlier sources come before new arrivals, so that newer values win. */
function takeOver(core: Core, waiting: Staged, standing: readonly Standing[]): void {
  const { state } = core;
  const { task, route } = waiting;
  const arrived = [...state.staging.arrivalsAt(task, route).values()];
  for (const { backId, source, context } of standing) {
    const known = state.staging.arrivalsAt(task, route).get(source.task);
    const prev = { ...known?.prev, [backId]: source.index };
    state.addArrival({ task, route, source: source.task, late: false, prev, context });
  }
  const contexts = [...standing, ...arrived].map(({ context }) => context);
  const context = contexts.reduce((merged, next) => state.contexts.merge(merged, next));
  state.staging.patch(waiting, { context, ready: true });
}

/** After the body has ended, a join that was reached but can no longer run is a failure. */
export function reportUnreachableJoins(core: Core): void {
  for (const join of [...core.state.staging.waiting].filter((waiting) => !isInProgress(core, waiting))) {
    const { task, route } = join;
    const message = `UnreachableJoinError: The join task|route "${task}|${route}" is partially satisfied but unreachable.`;
    core.logError(message, { task_id: task, route });
    core.fail();
  }
}

/** Whether running tasks may still lead to a missing source. */
function isInProgress(core: Core, { task, route }: Staged): boolean {
  const { active, ready } = core.counts;
  if (active === 0 && ready === 0) return false;
  const { sources } = core.graph.tasks.get(task)!;
  return [...sources].some((source) => core.state.entries.latestOf(source, route) === undefined);
}
