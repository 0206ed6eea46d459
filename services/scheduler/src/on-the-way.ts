import { SECOND_MS, type Clock, type Id } from '@switchyard/base';
import { WORKFLOW_POOL } from '@switchyard/executions';
import type { Store } from '@switchyard/storage';

/**
 * How many of those that this scheduler has handed out hold room of their pool. Actions hold a slot from then until their
 * end, which the store knows of; workflows take up room only until an engine has begun with them.
 */
export interface OnTheWay {
  count(pool: string): Promise<number>;
  note(pool: string, id: Id): void;
}

/** One that no engine has begun with by then may never be begun with, and does not keep others from it. */
const LONGEST_MS = 5 * SECOND_MS;
/** So few are not worth a question to the store. */
const FEW = 10;

export function createOnTheWay({ executions }: Pick<Store, 'executions'>, clock: Clock): OnTheWay {
  /** Workflows, with the time until which they count. */
  let sent = new Map<Id, number>();
  return {
    async count(pool) {
      if (pool !== WORKFLOW_POOL) return executions.countActive(pool);
      if (sent.size <= FEW) return 0;
      const asked = sent;
      const filter = { _id: { $in: [...asked.keys()] }, status: 'scheduled' };
      const waiting = await executions.list({ filter, fields: ['_id'] });
      const nowMs = clock.monotonicMs();
      const kept = waiting.map(({ _id }) => [_id, asked.get(_id)!] as const).filter(([, untilMs]) => untilMs > nowMs);
      sent = new Map([...kept, ...[...sent].filter(([id]) => !asked.has(id))]);
      return sent.size;
    },
    note(pool, id) {
      if (pool === WORKFLOW_POOL) sent.set(id, clock.monotonicMs() + LONGEST_MS);
    },
  };
}
