import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import { complete } from './complete';
import type { Core } from './core';
import { openEntry } from './open-entry';

/**
 * In a chain a node that cannot be started has failed as if its action had, where its failure leads on.
 * @returns false when it does not: then the run has failed
 */
export function leadOn(core: Core, { run, problem }: { run: Staged | Entry; problem: string }): boolean {
  if (core.spec.dialect !== 'chain' || run.kind !== 'staged' || !hasSuccessor(core, run)) return false;
  const { task, route } = run;
  const result = { error: problem };
  core.logError(problem, { task_id: task, route, result });
  const entry = openEntry(core, run);
  core.state.entries.setStatus(entry, 'failed');
  complete(core, entry, result, true);
  return true;
}

/** The second transition of a node is that of its failure. */
const hasSuccessor = (core: Core, { task }: Staged): boolean =>
  core.spec.tasks.get(task)?.next[1]?.do.includes('continue') === false;
