import { DEFAULT_POOL, WORKFLOW_POOL } from '@switchyard/executions';
import { createTask, type Task } from '@switchyard/host';
import type { PolicyLimits } from './policies/limits';
import { releasePool, type ReleaseDeps } from './release';
import { markPoolUnserved } from './unserved';

export interface ReleaseTaskDeps extends Omit<ReleaseDeps, 'gateOf'> {
  limits: Pick<PolicyLimits, 'prepare' | 'gateOf' | 'opensInMs'>;
  onError: (error: unknown) => void;
}

export interface ReleaseTask extends Task {
  /** Whether more executions waited at the last look than there was room for. */
  isLimited(): boolean;
}

/** Interval between looks at the backlog without any message. */
const IDLE_MS = 1000;
/** Interval between looks while workflows wait for engines to begin others. */
const ENGINES_MS = 20;

/** Looks through the backlog of every pool, and releases what there is room for. */
export function createReleaseTask(deps: ReleaseTaskDeps): ReleaseTask {
  const { clock, capacity, limits, onError } = deps;
  let limited = false;
  let served: readonly string[] = [];

  const task = createTask({ clock, everyMs: IDLE_MS, onError, run: releaseAll });

  async function releaseAll(): Promise<void> {
    limited = false;
    const pools = await capacity.pools();
    await limits.prepare(pools);
    for (const pool of pools) {
      const { limited: more, nextInMs } = await releasePool({ ...deps, gateOf: limits.gateOf }, pool);
      limited ||= more;
      if (nextInMs !== undefined) task.wakeIn(nextInMs);
      // No message reports that an engine has begun a workflow.
      if (more && pool === WORKFLOW_POOL) task.wakeIn(ENGINES_MS);
    }
    const opensInMs = limits.opensInMs();
    if (opensInMs !== undefined) task.wakeIn(opensInMs);
    const gone = served.filter((pool) => !pools.includes(pool));
    served = pools;
    for (const pool of gone) if (pool !== DEFAULT_POOL) await markPoolUnserved(deps, pool);
  }

  return { ...task, isLimited: () => limited };
}
