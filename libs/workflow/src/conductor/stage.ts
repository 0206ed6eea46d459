import type { GraphTask, Transition } from '../graph';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import { routeSteps } from './find-entry';
import { fresh } from './fresh';
import { arriveAtJoin } from './join';

export function stageStart(core: Core, task: string): void {
  core.state.staging.add({ ...fresh(core, task, 0), context: 0, prev: {}, ready: true });
}

/**
 * Takes note that a transition reached its destination.
 * @param context the index of what it hands on
 * @returns the staged destination; undefined when a join that has already run takes no notice
 */
export function arrive(core: Core, arrow: Transition, entry: Entry, context: number): Staged | undefined {
  const target = core.graph.tasks.get(arrow.to)!;
  const route = routeOf(core, target, arrow, entry.route);
  if (target.barrier !== undefined) return arriveAtJoin(core, target.barrier, { arrow, entry, context, route });
  const staged = core.state.staging.of(arrow.to, route);
  const prev = { ...staged?.prev, [arrow.backId]: entry.index };
  if (staged === undefined)
    return core.state.staging.add({ ...fresh(core, arrow.to, route), context, prev, ready: true });
  core.state.staging.patch(staged, { ...ANEW, context: core.state.contexts.merge(staged.context, context), prev });
  return staged;
}

/** What a staged task loses when it is reached once more before it starts. */
export const ANEW = { items: undefined, retry: undefined } as unknown as Partial<Staged>;

/** Each arrival at a split opens a route, unless the present route has come this way already. */
function routeOf(core: Core, target: GraphTask, { backId }: Transition, route: number): number {
  if (!target.split || routeSteps(core.state, route).includes(backId)) return route;
  return core.state.addRoute(route, backId);
}
