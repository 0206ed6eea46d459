import type { Id, Micros } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import type { ExecutionRecord, Share } from '@switchyard/model';
import { NO_SHARE } from './paths';

/** The queues of one priority, each ordered by time, read only as far as needed. */
export interface Queues {
  /** The queues whose first executions were already read. */
  readonly known: readonly Share[];
  /** @param ahead how many more may soon be taken from it @returns undefined when the queue is empty */
  take(share: Share, ahead: number): Promise<ExecutionRecord | undefined>;
}

interface Queue {
  readonly taken: Set<Id>;
  atHand: ExecutionRecord[];
  isWhole: boolean;
}

export function createQueues(
  records: Pick<ExecutionRecords, 'backlogOf'>,
  { pool, priority, known, now }: { pool: string; priority: number; known: readonly ExecutionRecord[]; now: Micros },
): Queues {
  const queues = new Map<Share, Queue>();
  const queueOf = (share: Share): Queue => {
    const queue = queues.get(share) ?? { taken: new Set(), atHand: [], isWhole: false };
    queues.set(share, queue);
    return queue;
  };
  for (const record of known) if (record.priority === priority) queueOf(record.share ?? NO_SHARE).atHand.push(record);

  async function readOn(share: Share, queue: Queue, ahead: number): Promise<void> {
    const limit = queue.taken.size + ahead;
    const of = { pool, priority, share: share === NO_SHARE ? undefined : share };
    const found = await records.backlogOf(of, now, limit);
    queue.isWhole = found.length < limit;
    queue.atHand = found.filter(({ _id }) => !queue.taken.has(_id));
  }

  return {
    known: [...queues.keys()],
    async take(share, ahead) {
      const queue = queueOf(share);
      if (queue.atHand.length === 0 && !queue.isWhole) await readOn(share, queue, Math.max(1, ahead));
      const record = queue.atHand.shift();
      if (record) queue.taken.add(record._id);
      return record;
    },
  };
}
