import type { Entry } from '../state/entries';
import type { State } from '../state/state';

/**
 * The latest entry of a task in a route, or else in the latest earlier route that leads to it: one whose transitions are
 * all among those of the given route.
 */
export function findEntry(state: State, task: string, route: number): Entry | undefined {
  const byRoute = state.entries.latest.get(task);
  const direct = byRoute?.get(route);
  if (byRoute === undefined || direct !== undefined || route === 0) return direct;
  const own = new Set(routeSteps(state, route));
  const earlier = [...byRoute.keys()].filter((other) => other < route).sort((a, b) => b - a);
  const leading = earlier.find((other) => routeSteps(state, other).every((step) => own.has(step)));
  return leading === undefined ? undefined : byRoute.get(leading);
}

/** The back ids of the transitions that opened a route and those it stems from. */
export function routeSteps(state: State, route: number): string[] {
  const steps: string[] = [];
  for (let at = state.routes[route]; at !== undefined && at.base >= 0; at = state.routes[at.base]) steps.push(at.by);
  return steps;
}
