import { readFileSync } from 'node:fs';
import { type ExecutionRecord, isTerminal, type Status } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { eventually } from '../platform/eventually';

/** Waits until an execution has one of these statuses, by default any final one. */
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

/** Whether a process is running; zombies are not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export const untilGone = (pid: number): Promise<true> =>
  eventually(
    () => !isAlive(pid) || undefined,
    () => `process ${pid} is still running`,
  );

/**
 * Renews the lease of an instance, as its process would.
 * @returns ends that, once the last renewal is stored
 */
export function keepAlive({ instances }: Pick<Store, 'instances'>, id: string, everyMs: number): () => Promise<void> {
  let beating: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void (beating = instances.beat(id)), everyMs);
  return async () => {
    clearInterval(timer);
    await beating;
  };
}
