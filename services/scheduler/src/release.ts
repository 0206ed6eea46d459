import { SECOND_MS, type Clock } from '@switchyard/base';
import { goesBefore, type Executions, DEFAULT_POOL, WORKFLOW_POOL } from '@switchyard/executions';
import { createTask, type Task } from '@switchyard/host';
import type { ExecutionRecord } from '@switchyard/model';
import type { Metrics } from '@switchyard/telemetry';
import type { ReleaseAttempts } from './release-attempts';
import { KNOWN_MS, type CancelingTrees } from './canceling-trees';
import type { Capacity, DueTimes, Lending, OnTheWay, Room } from './capacity';
import type { Fairness } from './fairness/fairness';
import type { Gate } from './policies/gate';
import type { PolicyLimits } from './policies/limits';
import { releaseOne, releaseToSlot, releaseWaiting } from './release-waiting';

interface ReleaseDeps {
  /** Id of this scheduler. */
  scheduler: string;
  executions: Pick<Executions, 'records' | 'transition' | 'releaseEagerly'>;
  capacity: Capacity;
  room: Room;
  lending: Pick<Lending, 'lend' | 'takeBack'>;
  onTheWay: OnTheWay;
  dueTimes: Pick<DueTimes, 'next'>;
  attempts: Pick<ReleaseAttempts, 'arrivalsEnded' | 'inLook'>;
  fairness: Fairness;
  cancelingTrees: CancelingTrees;
  gateOf(pool: string): Gate;
  clock: Clock;
  metrics: Pick<Metrics, 'time'>;
}

interface Released {
  count: number;
  /** True when more executions wait than there was room for. */
  limited: boolean;
  /** True when more can be released at once, and other pools come first. */
  goesOn?: boolean;
  /** Milliseconds until the next delayed execution is due. */
  nextInMs?: number;
}

const BATCH = 100;
/** After this time the other pools get a turn, however many executions can still be released in one. */
const TURN_MS = 100;

/**
 * Releases waiting executions of a pool to its runners, by priority and then time: as many as there are free slots, and
 * a few more. If more wait, users and their workflows take turns (`Fairness`). The backlog stays in the store, so the
 * work queue stays short and a late urgent request can still overtake.
 */
async function releasePool(deps: ReleaseDeps, pool: string): Promise<Released> {
  const { capacity, room, lending, onTheWay, attempts, fairness, cancelingTrees, clock } = deps;
  const { records } = deps.executions;
  const gate = deps.gateOf(pool);
  const turnEndsMs = clock.monotonicMs() + TURN_MS;
  let count = 0;
  room.close(pool);
  await attempts.arrivalsEnded();
  for (;;) {
    const { slots, ahead } = await capacity.of(pool);
    const free = slots + ahead - (await onTheWay.count(pool));
    const now = clock.nowMicros();
    // Executions of one round are published together, in no order. So executions that start immediately are published
    // before those that are queued.
    const wanted = Math.max(0, Math.min(free > ahead ? free - ahead : free, BATCH));
    // One more than is wanted shows whether executions have to wait.
    const most = (gate.crowded ? BATCH : wanted) + 1;
    const batch = wanted === 0 ? [] : await records.backlog(pool, now, most);
    const freed = wanted === 0 ? [] : await gate.freed(wanted);
    const chosen = await fairness.choose({ pool, known: inOrder(batch, freed), wanted, now });
    const open = pool === WORKFLOW_POOL ? await cancelingTrees.leaveOut(chosen.records) : chosen.records;
    const leavesOut = open.length < chosen.records.length;
    // Those that are queued must not be overtaken by others of the same round.
    const release = free > ahead ? releaseToSlot : releaseOne;
    const { released, settled } = await releaseWaiting({ ...deps, release }, gate, open, wanted);
    chosen.settle(released);
    if (released.size > 0) onTheWay.note(pool);
    count += released.size;
    if (wanted > 0 && released.size === free) {
      // The room is used up, and what was read shows whether others wait.
      const limited = gate.hasOpen() || settled < batch.length + freed.length;
      if (limited) lending.takeBack(pool);
      else room.found(pool, 0);
      return { count, limited };
    }
    // When none could be moved, another scheduler is working on the same executions and will continue by itself.
    if (settled > 0 && batch.length + freed.length >= wanted) {
      if (clock.monotonicMs() < turnEndsMs) continue;
      return { count, limited: false, goesOn: true };
    }
    const limited = wanted === 0 && (gate.hasOpen() || (await records.backlog(pool, now, 1)).length > 0);
    if (!limited && settled === batch.length + freed.length) {
      room.found(pool, free - released.size);
      lending.lend(pool);
    } else if (limited) lending.takeBack(pool);
    // A round that released something is followed by others, which find the next delayed execution.
    const next = count > 0 ? undefined : await deps.dueTimes.next(pool, now);
    const nextInMs = leavesOut ? KNOWN_MS : next === undefined ? undefined : Math.ceil((next - now) / 1000);
    return { count, limited, ...(nextInMs === undefined ? {} : { nextInMs }) };
  }
}

const inOrder = (batch: readonly ExecutionRecord[], freed: readonly ExecutionRecord[]): readonly ExecutionRecord[] =>
  freed.length === 0 ? batch : [...batch, ...freed].sort((a, b) => (goesBefore(a, b) ? -1 : goesBefore(b, a) ? 1 : 0));

interface ReleaseTaskDeps extends Omit<ReleaseDeps, 'gateOf'> {
  limits: Pick<PolicyLimits, 'prepare' | 'gateOf' | 'opensInMs'>;
  onError: (error: unknown) => void;
}

export interface ReleaseTask extends Task {
  /** Looks at a pool soon. While more executions wait than there is room for, ends and requests of some milliseconds share a look. */
  wakeSoon(pool: string): void;
  /** Call for each change that may make room: looks soon if executions wait for it. */
  madeRoom(): void;
  /** Call for each message about an execution: the next look must not be a brief one. */
  note(): void;
}

/** Interval between looks at the backlog without any message. */
const LOOK_MS = SECOND_MS;
/**
 * The same after a look that found nothing to do. Until something changes, such looks only check whether anything
 * waits, except for one in `BRIEF_LOOKS`.
 */
const IDLE_MS = 2 * SECOND_MS;
const BRIEF_LOOKS = 5;
/** How long the ends and requests for a full pool are gathered. Meanwhile, runners have the executions that were released ahead. */
const GATHER_MS = 5;
/** Interval between looks while workflows wait for engines to begin others. */
const ENGINES_MS = 20;

/** Looks through the backlogs of the pools, and releases executions up to the available room. */
export function createReleaseTask(deps: ReleaseTaskDeps): ReleaseTask {
  const { clock, capacity, onError } = deps;
  const next = new NextLook(clock);
  let limited = false;
  /** Set while a look is under way, and whether something has made room meanwhile. */
  let looking: { madeRoom: boolean } | undefined;
  const markUnservedPools = unservedPoolsMarker(deps);
  /** Set while nothing waits and no execution has changed since the last look at all pools that was not brief. */
  let quiet: { readonly slots: string; looks: number } | undefined;

  const task = createTask({ clock, everyMs: IDLE_MS, onError, run: look });
  const wakers = {
    wake() {
      next.atAllIn(0);
      task.wake();
    },
    wakeIn(delayMs: number) {
      next.atAllIn(delayMs);
      task.wakeIn(delayMs);
    },
  };

  async function look(): Promise<void> {
    const asked = next.begin();
    const slots = await slotsOf(capacity);
    if (quiet?.slots === slots && quiet.looks < BRIEF_LOOKS && !(await deps.executions.records.anyWaiting())) {
      if (quiet) quiet.looks++;
      return;
    }
    quiet = asked ? undefined : { slots, looks: 0 };
    const meanwhile = (looking = { madeRoom: false });
    const found = await releaseAll({ ...deps, ...wakers }, asked, markUnservedPools)
      .catch((error: unknown) => {
        quiet = undefined;
        throw error;
      })
      .finally(() => (looking = undefined));
    limited = found.isLimited || (asked !== undefined && limited);
    if (asked) task.wakeIn(next.atAllInMs());
    if (found.isDone) return;
    quiet = undefined;
    wakers.wakeIn(limited && meanwhile.madeRoom ? GATHER_MS : LOOK_MS);
  }

  return {
    ...task,
    ...wakers,
    wakeSoon(pool) {
      next.at(pool);
      if (limited) task.wakeIn(GATHER_MS);
      else task.wake();
    },
    madeRoom() {
      if (limited) wakers.wakeIn(GATHER_MS);
      else if (looking) looking.madeRoom = true;
    },
    note: () => void (quiet = undefined),
  };
}

/** The pools that the next look covers: those that requests have asked for, or all when time or an end has made one necessary. */
class NextLook {
  readonly #pools = new Set<string>();
  #atAllMs = -Infinity;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  at(pool: string): void {
    this.#pools.add(pool);
  }

  /** The next look after this time covers all pools. */
  atAllIn(delayMs: number): void {
    this.#atAllMs = Math.min(this.#atAllMs, this.clock.monotonicMs() + delayMs);
  }

  atAllInMs(): number {
    return Math.max(0, this.#atAllMs - this.clock.monotonicMs());
  }

  /** @returns the pools that the look covers; undefined for all */
  begin(): ReadonlySet<string> | undefined {
    const pools = new Set(this.#pools);
    this.#pools.clear();
    const now = this.clock.monotonicMs();
    if (pools.size > 0 && now < this.#atAllMs) return pools;
    this.#atAllMs = now + IDLE_MS;
    return undefined;
  }
}

interface Look {
  /** All pools were looked at, nothing was released, and nothing waits, not even for its time. */
  readonly isDone: boolean;
  /** More executions wait than there is room for. */
  readonly isLimited: boolean;
}

/** Releases what can be released in each pool, or only in some. The wakers are called when more can be released later. */
async function releaseAll(
  deps: ReleaseTaskDeps & Pick<Task, 'wake' | 'wakeIn'>,
  only: ReadonlySet<string> | undefined,
  markUnservedPools: (served: readonly string[]) => Promise<void>,
): Promise<Look> {
  const { capacity, limits, wake, wakeIn } = deps;
  let isLimited = false;
  let isDone = only === undefined;
  const pools = await capacity.pools();
  await limits.prepare(pools);
  for (const pool of only ? pools.filter((each) => only.has(each)) : pools) {
    const { count, limited, goesOn, nextInMs } = await releasePool({ ...deps, gateOf: limits.gateOf }, pool);
    isLimited ||= limited;
    isDone &&= count === 0 && !limited && nextInMs === undefined;
    if (goesOn) wake();
    if (nextInMs !== undefined) wakeIn(nextInMs);
    // No message reports that an engine has begun a workflow.
    if (limited && pool === WORKFLOW_POOL) wakeIn(ENGINES_MS);
  }
  const opensInMs = limits.opensInMs();
  if (opensInMs !== undefined) wakeIn(opensInMs);
  if (!only) await markUnservedPools(pools);
  // Those that wait for a policy are not in the backlog, and the policy may change without a message.
  isDone = isDone && opensInMs === undefined && (await deps.executions.records.waitedOn()).length === 0;
  return { isDone, isLimited };
}

/** The pools with their slots, as a text to compare. */
async function slotsOf({ pools, of }: Capacity): Promise<string> {
  const names = [...(await pools())].sort();
  return JSON.stringify(await Promise.all(names.map(async (pool) => [pool, (await of(pool)).slots])));
}

interface UnservedDeps {
  executions: Pick<Executions, 'records' | 'transition'>;
}

/** Reports that no living runner serves the pool of an execution. The execution stays in the backlog until one starts. */
export async function markUnserved(
  { executions }: { executions: Pick<Executions, 'transition'> },
  record: ExecutionRecord,
): Promise<boolean> {
  const moved = await executions.transition(record, 'delayed', {
    from: ['requested'],
    due: ['scheduler'],
    set: { waiting_for: `an action runner with the label "${record.pool}"` },
  });
  return moved !== undefined;
}

/** Reports this for what waits in pools that had a runner at the last call, and have none now. */
function unservedPoolsMarker(deps: UnservedDeps): (served: readonly string[]) => Promise<void> {
  let before: readonly string[] = [];
  return async (served) => {
    const gone = before.filter((pool) => pool !== DEFAULT_POOL && !served.includes(pool));
    before = served;
    for (const pool of gone) await markPoolUnserved(deps, pool);
  };
}

/** Reports this for all executions that wait in a pool. */
async function markPoolUnserved(deps: UnservedDeps, pool: string): Promise<void> {
  const filter = { due: 'scheduler', pool, status: 'requested' } as const;
  for (;;) {
    const waiting = await deps.executions.records.list({ filter, limit: BATCH });
    const marked = await Promise.all(waiting.map((record) => markUnserved(deps, record)));
    if (!marked.includes(true)) return;
  }
}
