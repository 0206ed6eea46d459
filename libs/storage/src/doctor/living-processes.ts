import { setTimeout as delay } from 'node:timers/promises';
import type { InstanceRecord } from '@switchyard/model';
import type { Connection } from 'mongoose';
import { storeCollections } from '../collections';
import { isEmbedded } from '../is-embedded';

/** The processes that use a store, each as `service on host, process 17`. */
export const livingProcesses = async (connection: Connection, leaseMs: number): Promise<string[]> =>
  (await livingInstances(connection, leaseMs)).map(({ service, host, pid }) => `${service} on ${host}, process ${pid}`);

/**
 * The records of the processes that use a store. A live process sends a heartbeat within its lease. There are none for the
 * embedded store, because only one process can open it.
 */
export async function livingInstances(connection: Connection, leaseMs: number): Promise<InstanceRecord[]> {
  if (isEmbedded(connection)) return [];
  const { instances } = storeCollections(connection);
  const before = new Map((await instances.list()).map(({ _id, beat }) => [_id, beat]));
  if (before.size === 0) return [];
  await delay(leaseMs);
  return (await instances.list()).filter(({ _id, beat }) => before.get(_id) !== beat);
}
