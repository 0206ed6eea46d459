import { MS_MICROS, type Clock } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import { DUE_CONSUMERS } from '@switchyard/model';

export interface SweepDeps {
  executions: Pick<Executions, 'records' | 'announce'>;
  clock: Clock;
}

const BATCH = 500;

/** The scheduler itself is missing here because it looks through its backlog by itself. */
const REMINDED = DUE_CONSUMERS.filter((consumer) => consumer !== 'scheduler');

/**
 * Sends a new message for every execution that has been waiting for a consumer for longer than `olderThanMs`. Reads only
 * outstanding executions; superfluous messages change nothing.
 * @returns the number of messages
 */
export async function sweepOverdue({ executions, clock }: SweepDeps, olderThanMs: number): Promise<number> {
  const now = clock.nowMicros();
  let reminded = 0;
  for (const consumer of REMINDED) {
    const overdue = await executions.records.overdue(consumer, now - olderThanMs * MS_MICROS, BATCH);
    if (overdue.length === 0) continue;
    await executions.records.postpone(
      overdue.map(({ _id }) => _id),
      now,
    );
    for (const record of overdue) executions.announce.remind(record);
    reminded += overdue.length;
  }
  return reminded;
}
