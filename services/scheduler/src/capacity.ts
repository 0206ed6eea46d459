import type { Clock } from '@switchyard/base';
import { WORKFLOW_POOL } from '@switchyard/executions';
import type { InstanceObserver } from '@switchyard/host';

/** How much the living action runners and workflow engines can take. */
export interface Capacity {
  /** How many executions a pool's runners can run at once, and how many more may wait at hand with them. */
  of(pool: string): Promise<{ slots: number; ahead: number }>;
  pools(): Promise<string[]>;
}

/** The answer is this old at most: runners come and go seldom, executions hundreds of times a second. */
const FRESH_MS = 500;
/** One in so many slots is given out ahead, so that a runner that gets free has its next execution at hand. */
const AHEAD = 4;
/** So many workflows may be on their way to an engine. It runs any number of them; the others wait where their order can change. */
const ON_THE_WAY_PER_ENGINE = 50;

export function createCapacity(observer: InstanceObserver, clock: Clock): Capacity {
  let known: { pools: Map<string, number>; atMs: number } | undefined;
  const read = async () => {
    const now = clock.monotonicMs();
    if (known && now - known.atMs < FRESH_MS) return known.pools;
    const pools = new Map<string, number>();
    for (const { slots = 0, pools: names = [] } of await observer.alive('action-runner'))
      for (const name of names) pools.set(name, (pools.get(name) ?? 0) + slots);
    const engines = (await observer.alive('workflow-engine')).length;
    pools.set(WORKFLOW_POOL, ON_THE_WAY_PER_ENGINE * Math.max(1, engines));
    known = { pools, atMs: now };
    return pools;
  };
  return {
    async of(pool) {
      const slots = (await read()).get(pool) ?? 0;
      return { slots, ahead: pool === WORKFLOW_POOL ? 0 : Math.ceil(slots / AHEAD) };
    },
    pools: async () => [...(await read()).keys()],
  };
}
