import type { Clock } from '@switchyard/base';
import { WORKFLOW_POOL } from '@switchyard/executions';
import type { InstanceObserver } from '@switchyard/host';

/** How much the living action runners can take. */
export interface Capacity {
  /** Executions that may be on their way to a pool's runners or with them: their slots, and some that wait at hand. */
  slots(pool: string): Promise<number>;
  pools(): Promise<string[]>;
}

/** The answer is this old at most: runners come and go seldom, executions hundreds of times a second. */
const FRESH_MS = 500;
/** One in so many slots is given out ahead, so that a runner that gets free has its next execution at hand. */
const AHEAD = 4;

export function createCapacity(observer: InstanceObserver, clock: Clock): Capacity {
  let known: { pools: Map<string, number>; atMs: number } | undefined;
  const read = async () => {
    const now = clock.monotonicMs();
    if (known && now - known.atMs < FRESH_MS) return known.pools;
    const pools = new Map<string, number>();
    for (const { slots = 0, pools: names = [] } of await observer.alive('action-runner'))
      for (const name of names) pools.set(name, (pools.get(name) ?? 0) + slots);
    known = { pools, atMs: now };
    return pools;
  };
  return {
    async slots(pool) {
      if (pool === WORKFLOW_POOL) return Number.POSITIVE_INFINITY;
      const slots = (await read()).get(pool) ?? 0;
      return slots + Math.ceil(slots / AHEAD);
    },
    pools: async () => [...(await read()).keys(), WORKFLOW_POOL],
  };
}
