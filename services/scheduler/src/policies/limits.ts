import type { Clock } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { ExecutionChangeMessage } from '@switchyard/messaging';
import { isLimiting, isStatus, isTerminal } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { createGate, type Gate, createOpenings } from './gate';
import { createKnownLimits } from './known-limits';
import { sweepLimits } from './sweep-limits';

export interface PolicyLimitsDeps {
  store: Pick<Store, 'limits' | 'policies'>;
  executions: Executions;
  clock: Clock;
}

/** Applies the policies that limit executions. */
export interface PolicyLimits {
  /**
   * Whether an action has such policies: its executions are not released past the backlog.
   * @param limited whether the execution had them when it was requested
   */
  concern(action: string, limited?: boolean): Promise<boolean>;
  /** Must be called before each look at the pools. */
  prepare(pools: readonly string[]): Promise<void>;
  /** Milliseconds until a group opens by itself. */
  opensInMs(): number | undefined;
  /** The gate for one look at a pool. */
  gateOf(pool: string): Gate;
  /** Frees the room of an execution that has ended. @returns whether another one may go on now */
  onChange(message: Pick<ExecutionChangeMessage, 'id' | 'ref' | 'status'>): Promise<boolean>;
  /** See `sweepLimits`. */
  sweep(): Promise<void>;
}

export function createLimits({ store, executions, clock }: PolicyLimitsDeps): PolicyLimits {
  const openings = createOpenings(clock);
  const known = createKnownLimits({ store, executions, clock });
  let nothingLeft = false;
  const refresh = async () => {
    for (const key of await known.refresh()) openings.open(key);
  };
  const concern = async (action: string, limited = false) =>
    limited || (await store.policies.inForce()).of(action).some(isLimiting);
  return {
    concern,
    async prepare(pools) {
      await refresh();
      openings.turn(pools);
    },
    opensInMs: openings.nextInMs,
    gateOf: (pool) => createGate({ store, executions, known, openings, clock }, pool),
    async onChange({ id, ref, status }) {
      if (!isStatus(status) || !isTerminal(status) || !(await concern(ref))) return false;
      const freed = await store.limits.free(id);
      for (const key of freed) openings.open(key);
      return freed.length > 0;
    },
    async sweep() {
      await refresh();
      // Without policies, the sweep reads nothing either.
      if (!nothingLeft || known.any()) nothingLeft = await sweepLimits({ store, executions, known, openings, clock });
    },
  };
}
