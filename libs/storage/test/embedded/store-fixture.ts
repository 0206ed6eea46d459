import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Schema, type Connection } from 'mongoose';
import { openEmbedded, type EmbeddedOptions } from '../../src/embedded';

export interface Fixture {
  readonly directory: string;
  /** Opens the store, closing it first if it is open. */
  open(options?: Partial<EmbeddedOptions>): Promise<Connection>;
  close(): Promise<void>;
  /** Closes the store and deletes the directory. */
  remove(): Promise<void>;
}

/** A store in its own directory. */
export function storeFixture(): Fixture {
  const directory = mkdtempSync(join(tmpdir(), 'svc-store-'));
  let connection: Connection | undefined;
  const close = async () => {
    await connection?.close();
    connection = undefined;
  };
  return {
    directory,
    close,
    async open(options = {}) {
      await close();
      connection = await openEmbedded({ directory, ...options });
      return connection;
    },
    async remove() {
      await close();
      rmSync(directory, { recursive: true });
    },
  };
}

type Fields = Record<string, unknown>;

/** The raw collection of a model without validation. */
export function collectionOf(connection: Connection, name: string) {
  const schema = new Schema<Fields>({ _id: Schema.Types.Mixed }, { strict: false, versionKey: false });
  const model = connection.models[name] ?? connection.model(name, schema, name);
  return model.collection as unknown as RawCollection;
}

interface Cursor {
  toArray(): Promise<Fields[]>;
  next(): Promise<Fields | null>;
}

/** The methods of a collection, without the driver's type parameters. */
export interface RawCollection {
  insertOne(document: Fields, options?: Fields): Promise<unknown>;
  insertMany(documents: Fields[], options?: Fields): Promise<unknown>;
  find(filter?: Fields, options?: Fields): Cursor;
  findOne(filter: Fields, options?: Fields): Promise<Fields | null>;
  countDocuments(filter?: Fields): Promise<number>;
  distinct(path: string, filter?: Fields): Promise<unknown[]>;
  updateOne(filter: Fields, update: unknown, options?: Fields): Promise<Fields>;
  updateMany(filter: Fields, update: unknown, options?: Fields): Promise<Fields>;
  findOneAndUpdate(filter: Fields, update: unknown, options?: Fields): Promise<Fields | null>;
  deleteOne(filter: Fields): Promise<unknown>;
  deleteMany(filter: Fields): Promise<unknown>;
  createIndex(key: Fields, options?: Fields): Promise<string>;
  dropIndex(name: string): Promise<unknown>;
  indexes(): Promise<Fields[]>;
  aggregate(pipeline: Fields[], options?: Fields): Cursor;
  watch(): unknown;
}
