import { type Clock, type Id, MS_MICROS, type Micros, newId } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import { cancelsOverLimit, opensAt, roomLeft, type ExecutionRecord, type Limit } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { KnownLimits } from './limits';

interface GateDeps {
  store: Pick<Store, 'limits'>;
  executions: Executions;
  known: KnownLimits;
  openings: Openings;
  clock: Pick<Clock, 'nowMicros'>;
}

/**
 * Applies policies to one look at the backlog of a pool.
 *
 * 1. An execution that finds no room leaves the backlog and waits with its group, so the backlog holds only those that
 *    can go on.
 * 2. Groups are checked when they open: when a holder ends, when time passes, or by the sweep. An execution that begins
 *    to wait checks for room once more, so that it does not miss an end in between.
 * 3. Room is taken before the execution is scheduled, and given back if scheduling fails. Several schedulers may work on the same
 *    execution, and the last one to come takes over the room that another has taken. An execution is scheduled only at the revision that
 *    was read before its room was taken, and giving room back increases the revision (`giveRoomBack`).
 */
export interface Gate {
  /** The limits of an execution. Costs nothing when no policy limits its action. */
  limitsOf(record: ExecutionRecord): Promise<readonly Limit[]>;
  /** Whether a group was found to be full, so that more executions may have to leave the backlog. */
  readonly crowded: boolean;
  /** Waiting executions of groups that have opened, up to the number of slots. */
  freed(wanted: number): Promise<ExecutionRecord[]>;
  /** True when some open groups were not checked yet. */
  hasOpen(): boolean;
  /** A group that is known to have no room for the execution. */
  knownFull(record: ExecutionRecord, limits: readonly Limit[]): Limit | undefined;
  /** Takes room in every group, up to the first that has none. Must be followed by `leave` if the execution is not scheduled. */
  enter(record: ExecutionRecord, limits: readonly Limit[]): Promise<GateEntry>;
  /** Gives back the room that was taken for an execution, unless another scheduler has scheduled it. */
  leave(record: ExecutionRecord, entry: GateEntry): Promise<void>;
  /** @returns whether the execution now waits or is canceled, and did not before */
  turnAway(record: ExecutionRecord, limit: Limit): Promise<boolean>;
  /** Must be called once the rejected executions wait. */
  lookAgain(): Promise<void>;
}

interface GateEntry {
  /** The groups in which this scheduler took room for the execution. */
  readonly taken: readonly string[];
  readonly refusedBy?: Limit;
}

export function createGate(deps: GateDeps, pool: string): Gate {
  const { executions, openings } = deps;
  const taker = newId();
  const full = new Map<string, ReadonlySet<Id>>();
  const waitedFor = new Map<string, Limit>();

  return {
    limitsOf: (record) => executions.policies.limitsOf(record),
    get crowded() {
      return full.size > 0;
    },
    async freed(wanted) {
      const found: ExecutionRecord[] = [];
      for (const key of openings.of(pool)) {
        const heads = await headsOf(deps, pool, key, wanted);
        if (heads.length === 0) openings.close(pool, key);
        found.push(...heads);
        full.delete(key);
      }
      return found;
    },
    hasOpen: () => openings.of(pool).length > 0,
    knownFull: (record, limits) => limits.find(({ key }) => full.has(key) && !full.get(key)?.has(record._id)),
    async enter(record, limits) {
      const taken: string[] = [];
      for (const limit of limits) {
        const answer = await executions.policies.take(limit, record, taker);
        if (answer.outcome === 'taken') {
          taken.push(limit.key);
          continue;
        }
        if (answer.outcome === 'full') full.set(limit.key, answer.by);
        return { taken, refusedBy: limit };
      }
      return { taken };
    },
    async leave({ _id }, { taken }) {
      if (taken.length === 0 || !(await executions.policies.giveBack(taken, _id, taker))) return;
      for (const key of taken) openings.open(key);
    },
    async turnAway(record, limit) {
      if (record.waits_on === limit.key) return false;
      if (cancelsOverLimit(limit.policy)) return cancel(deps, record, limit);
      waitedFor.set(limit.key, limit);
      await executions.policies.wait(record, limit);
      return true;
    },
    async lookAgain() {
      const limits = [...waitedFor.values()];
      waitedFor.clear();
      for (const limit of limits) if ((await roomNow(deps, limit)) > 0) openings.open(limit.key);
    },
  };
}

/** The first waiting executions of a group, as many as it has room for. */
async function headsOf(deps: GateDeps, pool: string, key: string, wanted: number): Promise<ExecutionRecord[]> {
  const limit = deps.known.limitOf(key);
  // No execution waits for a policy that was deleted: `KnownLimits` releases them.
  if (!limit) return [];
  const left = await roomNow(deps, limit);
  return left <= 0 ? [] : deps.executions.records.waitingOn(key, pool, Math.min(left, wanted));
}

/** The room left in a group. Records the time at which more becomes free. */
async function roomNow({ store, openings, clock }: GateDeps, limit: Limit): Promise<number> {
  const taken = await store.limits.get(limit.key);
  const now = clock.nowMicros();
  const at = opensAt(limit, taken, now);
  if (at !== undefined) openings.openAt(limit.key, at);
  return roomLeft(limit, taken, now);
}

async function cancel({ executions }: GateDeps, record: ExecutionRecord, { policy }: Limit): Promise<boolean> {
  const message = `Canceled by the policy "${policy.ref}": there is no room for another execution.`;
  const result = await executions.results.store(record, { message });
  const moved = await executions.transition(record, 'canceled', {
    from: ['requested', 'delayed'],
    revision: record.revision,
    ...result,
  });
  if (!moved) await executions.results.discard(result);
  return moved !== undefined;
}

/**
 * The groups of policies that may have room for waiting executions. A superfluous group costs one query; the sweep finds
 * missing ones.
 */
export interface Openings {
  open(key: string): void;
  /** Opens a group at a point in time. */
  openAt(key: string, at: Micros): void;
  /** The groups whose waiting executions of a pool were not checked since they opened. */
  of(pool: string): string[];
  /** No execution of a pool can go on in a group at present. */
  close(pool: string, key: string): void;
  /** Opens what is due, and removes what is closed in all of these pools. */
  turn(pools: readonly string[]): void;
  /** Milliseconds until the next group opens by itself. */
  nextInMs(): number | undefined;
}

export function createOpenings(clock: Pick<Clock, 'nowMicros'>): Openings {
  /** Each group with the pools in which it is closed again. */
  const opened = new Map<string, Set<string>>();
  const later = new Map<string, Micros>();
  const open = (key: string) => void opened.set(key, new Set());
  return {
    open,
    openAt: (key, at) => void later.set(key, at),
    of: (pool) => [...opened].filter(([, closed]) => !closed.has(pool)).map(([key]) => key),
    close: (pool, key) => void opened.get(key)?.add(pool),
    turn(pools) {
      for (const [key, closed] of opened) if (pools.every((pool) => closed.has(pool))) opened.delete(key);
      const now = clock.nowMicros();
      for (const [key, at] of later) {
        if (at > now) continue;
        later.delete(key);
        open(key);
      }
    },
    nextInMs: () =>
      later.size === 0 ? undefined : Math.max(0, (Math.min(...later.values()) - clock.nowMicros()) / MS_MICROS),
  };
}
