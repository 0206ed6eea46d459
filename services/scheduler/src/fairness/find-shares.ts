import type { Micros } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import { shareParts, sharesEnd, type Share } from '@switchyard/model';
import { NO_SHARE } from './paths';

export interface FoundShares {
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
export async function findShares(
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
