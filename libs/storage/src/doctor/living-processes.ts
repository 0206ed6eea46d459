import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { storeCollections } from '../collections';
import { isEmbedded } from '../embedded/driver';

/**
 * The processes that work on a store, each as `service on host, process 17`. Whoever lives gives a sign within a lease. The embedded
 * store has none: whoever opens it has it alone.
 */
export async function livingProcesses(connection: Connection, leaseMs: number): Promise<string[]> {
  if (isEmbedded(connection)) return [];
  const { instances } = storeCollections(connection);
  const before = new Map((await instances.list()).map(({ _id, beat }) => [_id, beat]));
  if (before.size === 0) return [];
  await delay(leaseMs);
  return (await instances.list())
    .filter(({ _id, beat }) => before.get(_id) !== beat)
    .map(({ service, host, pid }) => `${service} on ${host}, process ${pid}`);
}
