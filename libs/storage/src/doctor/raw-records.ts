import type { Connection } from 'mongoose';
import { isEmbedded } from '../embedded/driver';
import { embeddedRecords } from './embedded-records';
import { serverRecords } from './server-records';

/** A record as it lies in the store, without being decoded. */
export interface RawRecord {
  /** Names it within its collection, also where its own id cannot be read. Undefined when nothing does. */
  readonly key: string | undefined;
  readonly id: string;
  readonly bytes: Buffer;
}

export interface RawChange {
  readonly key: string;
  /** Undefined to remove it. */
  readonly bytes: Buffer | undefined;
}

/** The records of a store as bytes, which need not be readable. */
export interface RawRecords {
  readonly driver: 'embedded' | 'mongodb';
  /** The key of a record by its id. */
  keyOf(id: string): string;
  each(collection: string): AsyncIterable<RawRecord>;
  get(collection: string, key: string): Promise<Buffer | undefined>;
  /** Writes some records in one step where the store can. */
  change(collection: string, changes: readonly RawChange[]): Promise<void>;
  /** Sentences about indexes that do not fit their documents; none where the store looks after that itself. */
  strayIndexEntries(collection: string): readonly string[];
  rebuildIndexes(collection: string): Promise<void>;
  /** What is wrong with the files of the store. */
  fileProblems(): readonly string[];
}

export const rawRecords = (connection: Connection): RawRecords =>
  isEmbedded(connection) ? embeddedRecords(connection) : serverRecords(connection);
