import type { GraphTask, Transition } from '../graph';
import type { TaskEntry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import { routeSteps } from '../state/state';
import { fresh, arriveAtJoin } from './joins';

export function stageStart(core: Core, task: string): void {
  core.state.staging.add({ ...fresh(core, task, 0), context: 0, prev: {}, ready: true });
}

/**
 * Records that a transition reached its destination.
 * @param context the index of the context it passes on
 * @returns the staged destination; undefined when a join that has already run ignores it
 */
export function arrive(core: Core, arrow: Transition, entry: TaskEntry, context: number): Staged | undefined {
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

/** Fields that a staged task loses when it is reached again before it starts. */
export const ANEW = { items: undefined, retry: undefined } as unknown as Partial<Staged>;

/** Each arrival at a split opens a route, unless the current route already includes this transition. */
function routeOf(core: Core, target: GraphTask, { backId }: Transition, route: number): number {
  if (!target.split || routeSteps(core.state, route).includes(backId)) return route;
  return core.state.addRoute(route, backId);
}
