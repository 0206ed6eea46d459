import type { Clock } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { ExecutionChangeMessage } from '@switchyard/messaging';
import {
  isLimiting,
  isStatus,
  isTerminal,
  groupsOf,
  groupsOfKey,
  limitOf,
  type Limit,
  type PolicyRecord,
} from '@switchyard/model';
import type { Store, PoliciesInForce } from '@switchyard/storage';
import { createGate, type Gate, createOpenings } from './gate';
import { sweepLimits } from './sweep-limits';

interface PolicyLimitsDeps {
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

interface KnownLimitsDeps {
  store: Pick<Store, 'policies'>;
  executions: Pick<Executions, 'records' | 'policies'>;
  clock: Clock;
}

/** The policies that limit executions, as known to this process. */
export interface KnownLimits {
  /**
   * Checks whether the policies have changed. Running executions are counted before a new policy takes effect.
   * Executions that wait for a deleted policy go back to the backlog.
   * @returns groups that may have room now
   */
  refresh(): Promise<readonly string[]>;
  /** Counts running executions again, for policies that are new. */
  recount(): Promise<void>;
  /** Whether there are any limits. */
  any(): boolean;
  /** The limit of a group; undefined when its policy no longer exists. */
  limitOf(key: string): Limit | undefined;
}

/** Schedulers notice a policy within half a second. Executions that other schedulers released until then are counted
 * afterwards. */
const YOUNG_MS = 3000;

interface Known {
  readonly policy: PolicyRecord;
  readonly sinceMs: number;
}

function createKnownLimits(deps: KnownLimitsDeps): KnownLimits {
  const { store, executions, clock } = deps;
  let seen: PoliciesInForce | undefined;
  /** By the prefix of their groups' keys. */
  let known: ReadonlyMap<string, Known> = new Map();
  const limitWith = (key: string): Limit | undefined => {
    const policy = known.get(groupsOfKey(key))?.policy;
    return policy && { ...limitOf(policy, {}), key };
  };

  async function countIn(policies: readonly PolicyRecord[]): Promise<void> {
    if (policies.length === 0) return;
    const ids = new Set(policies.map(({ _id }) => _id));
    const actions = [...new Set(policies.map(({ resource_ref: action }) => action))];
    for (const record of await executions.records.underWay(actions))
      for (const limit of await executions.policies.limitsOf(record))
        if (ids.has(limit.policy._id) && limit.perMicros === undefined)
          await executions.policies.countIn(limit, record._id);
  }

  return {
    async refresh() {
      const policies = await store.policies.inForce();
      if (policies === seen) return [];
      const limiting = policies.all.filter(isLimiting);
      await countIn(limiting.filter((policy) => !known.has(groupsOf(policy))));
      const sinceMs = clock.monotonicMs();
      known = new Map(
        limiting.map((policy) => [groupsOf(policy), { sinceMs, ...known.get(groupsOf(policy)), policy }]),
      );
      seen = policies;
      const waitedOn = await executions.records.waitedOn();
      for (const key of waitedOn) if (!limitWith(key)) await executions.records.stopWaiting({ key }, clock.nowMicros());
      return waitedOn.filter((key) => limitWith(key));
    },
    async recount() {
      const now = clock.monotonicMs();
      const young = [...known.values()].filter(({ sinceMs }) => now - sinceMs < YOUNG_MS);
      await countIn(young.map(({ policy }) => policy));
    },
    any: () => known.size > 0,
    limitOf: limitWith,
  };
}
