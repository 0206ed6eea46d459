import { slices } from '@switchyard/base';
import type { DueConsumer, ExecutionRecord, Status } from '@switchyard/model';
import type { ControlDeps } from './control';
import type { StoredResult } from './result';
import { dueAtEnd, moveChange } from './transition';

/** Statuses in which nobody works on an execution: it is canceled at once. */
const WAITING: readonly Status[] = ['requested', 'delayed', 'scheduled'];

export const isWaiting = ({ status }: Pick<ExecutionRecord, 'status'>): boolean => WAITING.includes(status);

/**
 * Cancels executions that wait, all with one write. For each of them it does what `cancelExecution` does for one.
 * @param atWork learns of it from the answer: he has no mark on the records, and nothing will remind him
 * @returns those that were canceled; the others have changed since they were read
 */
export async function cancelWaiting(
  deps: ControlDeps,
  records: readonly ExecutionRecord[],
  user: string,
  atWork?: DueConsumer,
): Promise<ExecutionRecord[]> {
  const { executions, announce, results, clock, isTold } = deps;
  const now = clock.nowMicros();
  const shown = await resultsOf(deps, records, user);
  await executions.changeEach(
    records.filter(isWaiting).map((record) => {
      const { set, unset } = shown.get(record.definition)!;
      const due = dueAtEnd(record, isTold?.('canceled')).filter((consumer) => consumer !== atWork);
      const change = moveChange(
        record,
        { to: 'canceled', due, now },
        { set: { ...set, 'context.cancelled_by': user }, unset },
      );
      return { id: record._id, expected: { status: [record.status], revision: record.revision }, change };
    }),
  );
  const moved = (await executions.list({ filter: { _id: { $in: records.map(({ _id }) => _id) } } })).filter(
    ({ status, log }) => status === 'canceled' && log.at(-1)?.timestamp === now,
  );
  const slice = slices();
  for (const record of moved) {
    announce.moved(record, atWork);
    await slice.next();
  }
  const ids = new Set(moved.map(({ _id }) => _id));
  for (const record of records) if (ids.has(record._id)) await results.dropFormer(record);
  return moved;
}

/** What they show is the same for all of one definition. */
async function resultsOf(
  { results }: ControlDeps,
  records: readonly ExecutionRecord[],
  user: string,
): Promise<ReadonlyMap<string, StoredResult>> {
  const shown = new Map<string, StoredResult>();
  for (const { definition } of records)
    if (!shown.has(definition))
      shown.set(definition, await results.store({ definition }, { message: 'Action canceled by user.', user }));
  return shown;
}
