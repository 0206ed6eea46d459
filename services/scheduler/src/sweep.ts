import { MS_MICROS, slices, type Clock } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import { DUE_CONSUMERS } from '@switchyard/model';

export interface SweepDeps {
  executions: Pick<Executions, 'records' | 'announce'>;
  clock: Clock;
}

/** How many are read for each consumer. */
const BATCH = 500;
/** How many are written and announced before other work gets a turn. */
const AT_A_TIME = 25;

/** The scheduler itself is missing here because it looks through its backlog by itself. */
const REMINDED = DUE_CONSUMERS.filter((consumer) => consumer !== 'scheduler');

/**
 * Sends a new message for every execution that has been waiting for a consumer for longer than `olderThanMs`. Reads only
 * outstanding executions; superfluous messages change nothing.
 * @returns the number of messages
 */
export async function sweepOverdue({ executions, clock }: SweepDeps, olderThanMs: number): Promise<number> {
  const now = clock.nowMicros();
  const slice = slices();
  const before = now - olderThanMs * MS_MICROS;
  let reminded = 0;
  if (!(await executions.records.anyOverdue(REMINDED, before))) return 0;
  for (const consumer of REMINDED) {
    const overdue = await executions.records.overdue(consumer, before, BATCH);
    for (let at = 0; at < overdue.length; at += AT_A_TIME) {
      const some = overdue.slice(at, at + AT_A_TIME);
      await executions.records.postpone(
        some.map(({ _id }) => _id),
        now,
      );
      for (const record of some) executions.announce.remind(record);
      await slice.next();
    }
    reminded += overdue.length;
  }
  return reminded;
}
