import type { Clock, Id, Micros } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { ExecutionRecords } from '@switchyard/executions';
import type { ExecutionRecord, Share } from '@switchyard/model';
import { createPaths, NO_SHARE, type PathOf, createTurns, type ShareTurns } from './turns';
import { createQueues, type Queues, createWaitingShares, type WaitingShares } from './waiting-shares';

export interface FairnessDeps {
  config: Pick<Config, 'scheduler'>;
  records: Pick<ExecutionRecords, 'nextShare' | 'backlogOf'>;
  clock: Clock;
}

/** The executions that could be released, and how many are wanted. */
export interface Choice {
  readonly pool: string;
  /** By priority, then time. Contains more than are wanted when more wait than there is room for. */
  readonly known: readonly ExecutionRecord[];
  readonly wanted: number;
  readonly now: Micros;
}

export interface Chosen {
  /** The executions to release come first. */
  readonly records: readonly ExecutionRecord[];
  /** Reports which of them were released: the turns of the others are taken back. */
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
