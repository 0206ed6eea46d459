import { tasksLeadingTo, type Barrier } from '../graph';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import { hasCome, mayRepeat, runsAgain } from './join';

/** A source that stands from the join's last run, with what it handed on. */
interface Standing {
  readonly backId: string;
  readonly source: Entry;
  readonly context: number;
}

/**
 * A join that runs once more, in or behind a loop or after a rerun, need not hear of all its sources again: those of its
 * last run still stand, as soon as nothing is going on that leads to them. One that waits only for a source that ran once
 * more is ready when that has ended, wherever it led to.
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

function settle(core: Core, waiting: Staged, { ran, barrier }: { ran: Entry; barrier: Barrier }): void {
  const arrivals = core.state.staging.arrivalsAt(waiting.task, waiting.route);
  const standing = standingSources(core, waiting, ran).filter(({ source }) => !arrivals.has(source.task));
  const sources = new Set(standing.map(({ source }) => source.task));
  if (arrivals.size + sources.size < barrier.required) return;
  if ([...arrivals.keys()].some((source) => runsAgain(core, source, waiting.route))) return;
  if ([...sources].some((source) => isOnItsWay(core, source, waiting))) return;
  takeOver(core, waiting, standing);
}

function standingSources(core: Core, { task }: Staged, ran: Entry): Standing[] {
  return Object.entries(ran.prev).flatMap(([backId, index]) => {
    const source = core.state.entries.all[index]!;
    const isCurrent = source.stale !== true && core.state.entries.latestOf(source.task, source.route) === source;
    const arrow = core.graph.tasks.get(source.task)?.next.find((next) => next.to === task && next.backId === backId);
    const context = arrow === undefined ? undefined : source.out[arrow.id];
    return isCurrent && context !== undefined ? [{ backId, source, context }] : [];
  });
}

/** Whether something that is staged or runs in the route of a join leads to one of its sources without passing it. */
function isOnItsWay(core: Core, source: string, join: Staged): boolean {
  const leading = tasksLeadingTo(core.graph, source, join.task);
  const leads = ({ task, route }: Staged | Entry): boolean => route === join.route && leading.has(task);
  return [...core.state.entries.live].some(leads) || [...core.state.staging.all.values()].some(leads);
}

/** What stands comes before what has arrived, so that newer values win. */
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
