import type { Core } from './core';

/** What every staging of a task in the body begins with. */
export function fresh(core: Core, task: string, route: number) {
  const round = (core.state.entries.latestOf(task, route)?.round ?? 0) + 1;
  return { task, route, round, again: false, phase: 'body', runOnFail: false } as const;
}
