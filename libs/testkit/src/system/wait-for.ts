import { setTimeout as delay } from 'node:timers/promises';
import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

const PATIENCE_MS = 15_000;
const LOOK_MS = 4;

/**
 * Looks until there is an answer.
 * @throws Error with the description when that takes too long
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  describe: () => string,
): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited in vain: ${describe()}`);
    await delay(LOOK_MS);
  }
}

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
