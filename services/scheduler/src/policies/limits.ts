import type { Clock } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { ExecutionChangeMessage } from '@switchyard/messaging';
import { isLimiting, isStatus, isTerminal } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { createGate, type Gate } from './gate';
import { createKnownLimits } from './known-limits';
import { createOpenings } from './openings';
import { sweepLimits } from './sweep-limits';

export interface LimitsDeps {
  store: Pick<Store, 'executions' | 'limits' | 'policies'>;
  executions: Executions;
  clock: Clock;
}

/** What a scheduler does about policies that limit executions. */
export interface Limits {
  /**
   * Whether an action has such policies: its executions are then not handed out past the backlog.
   * @param limited whether one has had them when it was requested
   */
  concern(action: string, limited?: boolean): Promise<boolean>;
  /** To be called before the pools are looked at. */
  prepare(pools: readonly string[]): Promise<void>;
  /** Milliseconds until a group opens by itself. */
  opensInMs(): number | undefined;
  /** The policies' part in a look at a pool. */
  gateOf(pool: string): Gate;
  /** Frees the room of an execution that has ended. @returns whether somebody may go on now */
  onChange(message: Pick<ExecutionChangeMessage, 'id' | 'ref' | 'status'>): Promise<boolean>;
  /** See `sweepLimits`. */
  sweep(): Promise<void>;
}

export function createLimits({ store, executions, clock }: LimitsDeps): Limits {
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
      // Where there are no policies, the sweep reads nothing either.
      if (!nothingLeft || known.any()) nothingLeft = await sweepLimits({ store, known, openings, clock });
    },
  };
}
