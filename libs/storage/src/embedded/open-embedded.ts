import { Mongoose, type Connection } from 'mongoose';
import { createEmbeddedDriver, databaseOf } from './driver';
import type { EmbeddedOptions } from './engine/database';
import type { StoreStats } from './engine/stats';
import { verifyIndexes as verifyCollection } from './engine/verify-indexes';

/** Work recorded in these collections must not be repeated because its record is damaged. */
const JOURNALS = ['executions', 'trigger_instances', 'rule_enforcements', 'workflows', 'workflow_journal'];

const ADDRESS = 'mongodb://embedded/svc';

/**
 * Opens the embedded store in a directory. Models create their indexes on request (`createIndexes`, `init`).
 * @throws Fault `storage.locked` when another process holds the directory, `storage.format` when a newer program wrote it
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Connection> {
  const mongoose = new Mongoose();
  mongoose.setDriver(createEmbeddedDriver({ journals: JOURNALS, ...options }));
  return mongoose.createConnection(ADDRESS, { autoIndex: false, autoCreate: false }).asPromise();
}

/** Counters of an embedded connection. */
export const embeddedStats = (connection: Connection): Readonly<StoreStats & { keysWritten: number }> => {
  const { stats, keysWritten } = databaseOf(connection);
  return { ...stats, keysWritten };
};

/** Resolves when everything acknowledged so far is on disk. */
export const flushEmbedded = (connection: Connection): Promise<void> => databaseOf(connection).flush();

/** Compares all indexes with the documents. @returns a sentence for each difference */
export function verifyAllIndexes(connection: Connection): string[] {
  const database = databaseOf(connection);
  return database.collectionNames().flatMap((name) => verifyCollection(database.source(name)));
}
