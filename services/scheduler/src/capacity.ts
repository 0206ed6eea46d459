import type { Clock } from '@switchyard/base';
import { WORKFLOW_POOL } from '@switchyard/executions';
import type { InstanceObserver } from '@switchyard/host';

/** How much the living action runners can take. */
export interface Capacity {
  /** How many executions a pool's runners can run at once, and how many more may wait at hand with them. */
  of(pool: string): Promise<{ slots: number; ahead: number }>;
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
    async of(pool) {
      if (pool === WORKFLOW_POOL) return { slots: Number.POSITIVE_INFINITY, ahead: 0 };
      const slots = (await read()).get(pool) ?? 0;
      return { slots, ahead: Math.ceil(slots / AHEAD) };
    },
    pools: async () => [...(await read()).keys(), WORKFLOW_POOL],
  };
}
