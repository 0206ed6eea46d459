import type { Staged } from '../state/staging';
import type { Core } from './core';

/** Once the body has ended, a join that has been reached and cannot run any more is a failure. */
export function reportUnreachableJoins(core: Core): void {
  for (const join of [...core.state.staging.waiting].filter((waiting) => !isInProgress(core, waiting))) {
    const { task, route } = join;
    const message = `UnreachableJoinError: The join task|route "${task}|${route}" is partially satisfied but unreachable.`;
    core.logError(message, { task_id: task, route });
    core.fail();
  }
}

/** Something is still going on that may lead to a source that has not run. */
function isInProgress(core: Core, { task, route }: Staged): boolean {
  const { active, ready } = core.counts;
  if (active === 0 && ready === 0) return false;
  const { sources } = core.graph.tasks.get(task)!;
  return [...sources].some((source) => core.state.entries.latestOf(source, route) === undefined);
}
