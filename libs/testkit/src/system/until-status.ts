import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { eventually } from '../platform/eventually';

/** Waits until an execution is in one of these statuses. @param statuses any terminal one when none is given */
export async function untilStatus(store: Store, id: string, ...statuses: Status[]): Promise<ExecutionRecord> {
  let seen: ExecutionRecord | undefined;
  const isWanted = (status: Status) => (statuses.length > 0 ? statuses.includes(status) : isTerminal(status));
  return eventually(
    async () => {
      seen = await store.executions.get(id);
      return seen && isWanted(seen.status) ? seen : undefined;
    },
    () =>
      `execution ${id} is ${seen?.status ?? 'unknown'}, not ${statuses.join(' or ') || 'ended'}; log ` +
      JSON.stringify(seen?.log.map(({ status }) => status)),
  );
}
