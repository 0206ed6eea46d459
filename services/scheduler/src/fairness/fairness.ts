import type { Clock, Id, Micros } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { ExecutionRecords } from '@switchyard/executions';
import { type ExecutionRecord, type Share, shareOwner, shareParts, sharesEnd } from '@switchyard/model';
import { createQueues, createTurns, NO_SHARE, type Queues, type SharePath, type ShareTurns } from './turns';

interface FairnessDeps {
  config: Pick<Config, 'scheduler'>;
  records: Pick<ExecutionRecords, 'nextShare' | 'backlogOf'>;
  clock: Clock;
}

/** The executions that could be released, and how many are wanted. */
interface Choice {
  readonly pool: string;
  /** By priority, then time. Contains more than are wanted when more wait than there is room for. */
  readonly known: readonly ExecutionRecord[];
  readonly wanted: number;
  readonly now: Micros;
}

interface Chosen {
  /** The executions to release come first. */
  readonly records: readonly ExecutionRecord[];
  /** Reports which of them were released. The turns of the others are taken back. */
  settle(handedOut: ReadonlySet<Id>): void;
}

/**
 * Decides who is next while more executions wait than there is room for.
 *
 * 1. Higher priorities go first, as always. Sharing applies to the room that is left for the lowest priority that gets
 *    any.
 * 2. There, users share by their weights. Within a user, direct requests and workflows share; among workflows, trees
 *    share evenly. Each of these queues is ordered by time.
 * 3. Each scheduler counts turns by itself, in memory. A restart loses one turn of each queue.
 */
export interface Fairness {
  choose(choice: Choice): Promise<Chosen>;
  /** Reports a request that waits in a queue. */
  heard(pool: string, share: Share | undefined): void;
}

export function createFairness({ config, records, clock }: FairnessDeps): Fairness {
  const pathOf = createPaths(config);
  const waiting = createWaitingShares(records, clock);
  const turns = new Map<string, ShareTurns>();
  return {
    async choose(choice) {
      const { known, wanted, pool } = choice;
      const last = known[wanted];
      if (last === undefined || wanted === 0) return { records: known, settle: () => undefined };
      const { priority } = last;
      const shares = new Set(await waiting.of(pool, priority));
      const queues = createQueues(records, { ...choice, priority });
      for (const share of queues.known) shares.add(share);
      const ofPool = turns.get(pool) ?? createTurns();
      turns.set(pool, ofPool);
      return take({ turns: ofPool, pathOf, waiting }, choice, { priority, shares, queues });
    },
    heard: (pool, share) => waiting.heard(pool, share ?? NO_SHARE),
  };
}

interface Contest {
  readonly priority: number;
  readonly shares: Set<Share>;
  readonly queues: Queues;
}

async function take(
  { turns, pathOf, waiting }: { turns: ShareTurns; pathOf: PathOf; waiting: WaitingShares },
  { known, wanted, pool }: Choice,
  { priority, shares, queues }: Contest,
): Promise<Chosen> {
  const sure = known.filter((record) => record.priority > priority);
  // On equal claims, such as at the beginning, direct requests go before workflows.
  const candidates = new Map(
    [...shares]
      .map((share) => ({ share, path: pathOf(share) }))
      .sort((a, b) => a.path.length - b.path.length)
      .map((candidate) => [candidate.share, candidate]),
  );
  const chosen = new Map<ExecutionRecord, Share>();
  while (sure.length + chosen.size < wanted && candidates.size > 0) {
    const { share, path } = turns.next([...candidates.values()]);
    const record = await queues.take(share, Math.ceil((wanted - sure.length - chosen.size) / candidates.size));
    if (record) chosen.set(record, share);
    else {
      turns.giveBack(path);
      candidates.delete(share);
      waiting.drop(pool, priority, share);
    }
  }
  const ids = new Set([...sure, ...chosen.keys()].map(({ _id }) => _id));
  return {
    records: [...sure, ...chosen.keys(), ...known.filter(({ _id }) => !ids.has(_id))],
    settle(handedOut) {
      for (const [{ _id }, share] of chosen) if (!handedOut.has(_id)) turns.giveBack(pathOf(share));
    },
  };
}

/** The path to a queue, with the weights from the options: the user, then direct requests or workflows. */
type PathOf = (share: Share) => SharePath;

function createPaths({ scheduler }: Pick<Config, 'scheduler'>): PathOf {
  const weights = new Map(
    Object.entries(scheduler.user_weights).map(([user, weight]) => [shareOwner(user), Number(weight)]),
  );
  return (share) => {
    const { owner, root } = shareParts(share);
    const user = { key: owner, weight: weights.get(owner) ?? 1 };
    if (root === undefined) return [user, { key: 'interactive', weight: scheduler.interactive_weight }];
    return [user, { key: 'bulk', weight: 1 }, { key: root, weight: 1 }];
  };
}

/** Tracks which queues of a pool have waiting executions. */
interface WaitingShares {
  /**
   * The queues in which executions of a priority wait. If there are very many, each call returns a different part of
   * them.
   */
  of(pool: string, priority: number): Promise<ReadonlySet<Share>>;
  /** Reports that a queue is empty after all. */
  drop(pool: string, priority: number, share: Share): void;
  /** Reports that an execution has begun to wait: lists without its queue are rebuilt. */
  heard(pool: string, share: Share): void;
}

interface List extends FoundShares {
  readonly pool: string;
  atMs: number;
}

/** How long a list is used. */
const FRESH_MS = 250;
/** A list that took more queries than this is kept for its full time, even when new queues appear. */
const CHEAP_LOOKS = 32;
/** How long the starting point of the next list is remembered. */
const KEPT_MS = 10_000;

function createWaitingShares(records: Pick<ExecutionRecords, 'nextShare' | 'backlogOf'>, clock: Clock): WaitingShares {
  const lists = new Map<string, List>();
  return {
    async of(pool, priority) {
      const key = keyOf(pool, priority);
      const nowMs = clock.monotonicMs();
      const known = lists.get(key);
      if (known && nowMs - known.atMs < FRESH_MS) return known.shares;
      for (const [other, { atMs }] of lists) if (nowMs - atMs > KEPT_MS) lists.delete(other);
      const found = await findShares(records, { pool, priority }, clock.nowMicros(), known);
      lists.set(key, { ...found, pool, atMs: nowMs });
      return found.shares;
    },
    drop: (pool, priority, share) => void lists.get(keyOf(pool, priority))?.shares.delete(share),
    heard(pool, share) {
      const nowMs = clock.monotonicMs();
      for (const list of lists.values())
        if (list.pool === pool && !list.shares.has(share) && list.looks <= CHEAP_LOOKS) list.atMs = nowMs - FRESH_MS;
    },
  };
}

const keyOf = (pool: string, priority: number): string => `${priority} ${pool}`;

interface FoundShares {
  readonly shares: Set<Share>;
  /** Number of queries. */
  readonly looks: number;
  /** Where the next search starts, so that it covers the users and trees that this one has left out. */
  readonly from: Share;
  readonly treesFrom: ReadonlyMap<string, Share>;
}

const MOST_USERS = 24;
const MOST_TREES_OF_USER = 8;

/**
 * Finds the queues in which executions of a priority wait, by a skip scan: it costs one query for each queue, however
 * many wait in it. @param before the previous search, if any
 */
async function findShares(
  records: Pick<ExecutionRecords, 'nextShare' | 'backlogOf'>,
  of: { pool: string; priority: number },
  now: Micros,
  before?: Pick<FoundShares, 'from' | 'treesFrom'>,
): Promise<FoundShares> {
  const shares = new Set<Share>();
  const treesFrom = new Map<string, Share>();
  let looks = 1;
  if ((await records.backlogOf({ ...of, share: undefined }, now, 1)).length > 0) shares.add(NO_SHARE);
  const next = async (after: Share, end?: Share): Promise<Share | undefined> => {
    looks += 1;
    const found = await records.nextShare(of, { after, ...(end === undefined ? {} : { before: end }) });
    if (found && found.schedule_at <= now) shares.add(found.share);
    return found?.share;
  };
  let from = before?.from ?? '';
  for (let users = 0; users < MOST_USERS; users++) {
    const first = await next(from);
    if (first === undefined) return { shares, looks, from: '', treesFrom };
    const { owner } = shareParts(first);
    from = sharesEnd(owner);
    const last = await lastTree(next, before?.treesFrom.get(owner) ?? first, from);
    if (last !== undefined) treesFrom.set(owner, last);
  }
  return { shares, looks, from, treesFrom };
}

/** @returns where the next search continues; undefined when it starts over */
async function lastTree(
  next: (after: Share, end: Share) => Promise<Share | undefined>,
  from: Share,
  end: Share,
): Promise<Share | undefined> {
  let after = from;
  for (let trees = 0; trees < MOST_TREES_OF_USER; trees++) {
    const share = await next(after, end);
    if (share === undefined) return undefined;
    after = share;
  }
  return after;
}
