import type { Connection } from 'mongoose';
import { isEmbedded } from '../is-embedded';
import { embeddedRecords } from './embedded-records';
import { serverRecords } from './server-records';

/** A stored record that has not been decoded. */
export interface RawRecord {
  /** Identifies the record within its collection, even if its own id is unreadable. Undefined if that is impossible. */
  readonly key: string | undefined;
  readonly id: string;
  readonly bytes: Buffer;
}

export interface RawChange {
  readonly key: string;
  /** Undefined to remove the record. */
  readonly bytes: Buffer | undefined;
}

/** The records of a store as bytes, readable or not. */
export interface RawRecords {
  readonly driver: 'embedded' | 'mongodb';
  /** The key of a record by its id. */
  keyOf(id: string): string;
  each(collection: string): AsyncIterable<RawRecord>;
  get(collection: string, key: string): Promise<Buffer | undefined>;
  /** Writes some records, atomically if the store supports it. */
  change(collection: string, changes: readonly RawChange[]): Promise<void>;
  /** A sentence for each index that does not match its documents; none if the store ensures that itself. */
  strayIndexEntries(collection: string): readonly string[];
  rebuildIndexes(collection: string): Promise<void>;
  /** Defects of the store's files. */
  fileProblems(): readonly string[];
}

export const rawRecords = (connection: Connection): RawRecords =>
  isEmbedded(connection) ? embeddedRecords(connection) : serverRecords(connection);
