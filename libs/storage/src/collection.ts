import type { Connection, Model, Schema } from 'mongoose';
import { readDocument, readId } from './bson/read-document';
import { duplicateOr } from './duplicate-keys';
import { isEmbedded } from './embedded/driver';

export type Filter = Record<string, unknown>;
export type Sort = Record<string, 1 | -1>;

export interface Page {
  filter?: Filter;
  sort?: Sort;
  limit?: number;
  offset?: number;
  /** Stored fields to read; everything when absent. */
  fields?: readonly string[];
}

/** Changes of one write. `unset` names fields; dotted paths reach into objects. */
export interface Change {
  set?: Record<string, unknown>;
  unset?: readonly string[];
  push?: Record<string, unknown>;
  pull?: Record<string, unknown>;
  inc?: Record<string, number>;
}

const projection = (fields: readonly string[] | undefined) =>
  fields && Object.fromEntries(fields.map((field) => [field, 1 as const]));

/**
 * One collection with plain records in and out. Repositories are written in terms of it: it hides mongoose's documents,
 * and keeps every call in the small set of operations that both drivers are tested for.
 */
export class Collection<T extends { _id: string }> {
  readonly model: Model<T>;
  /** The embedded store decodes documents by itself. Those of a server come as bytes, so that one of them cannot fail a list. */
  readonly #raw: { readonly raw?: true };

  constructor(connection: Connection, name: string, schema: Schema) {
    this.#raw = isEmbedded(connection) ? {} : { raw: true };
    this.model = connection.model<T>(name, schema as Schema<T>, name);
  }

  /** @throws Fault `storage.duplicate` when a unique index refuses the record */
  async insert(record: T): Promise<T> {
    try {
      await this.model.collection.insertOne(record as never);
      return record;
    } catch (error) {
      throw duplicateOr(error);
    }
  }

  async insertMany(records: readonly T[]): Promise<void> {
    if (records.length > 0) await this.model.collection.insertMany(records as never);
  }

  async get(id: string): Promise<T | undefined> {
    return this.findOne({ _id: id });
  }

  async findOne(filter: Filter, fields?: readonly string[]): Promise<T | undefined> {
    const options = { ...this.#raw, ...(fields ? { projection: projection(fields) } : {}) };
    const found: unknown = await this.model.collection.findOne(filter as never, options as never);
    return found === null ? undefined : decoded<T>(found);
  }

  async list(page: Page = {}): Promise<T[]> {
    return (await this.find(page).toArray()).map((record) => decoded<T>(record));
  }

  /** The same one after the other, for what may be too large to be in memory together. */
  async *each(page: Page = {}): AsyncGenerator<T, void, undefined> {
    const cursor = this.find(page);
    try {
      for await (const record of cursor) yield decoded<T>(record);
    } finally {
      await cursor.close();
    }
  }

  private find({ filter = {}, fields, sort, limit, offset }: Page) {
    const options = {
      ...this.#raw,
      ...(fields ? { projection: projection(fields) } : {}),
      ...(sort ? { sort } : {}),
      ...(limit === undefined ? {} : { limit }),
      ...(offset ? { skip: offset } : {}),
    };
    return this.model.collection.find(filter as never, options as never);
  }

  async count(filter: Filter = {}): Promise<number> {
    return this.model.collection.countDocuments(filter);
  }

  async distinct(field: string, filter: Filter = {}): Promise<unknown[]> {
    return this.model.collection.distinct(field, filter as never);
  }

  /** Changes the one record that fits `filter` and answers it as it is afterwards: the compare-and-set of everything. */
  async change(filter: Filter, change: Change): Promise<T | undefined> {
    const options = { returnDocument: 'after' } as const;
    const found: unknown = await this.model.collection.findOneAndUpdate(filter, operators(change), options as never);
    return (found ?? undefined) as T | undefined;
  }

  /** @returns how many records were changed */
  async changeAll(filter: Filter, change: Change): Promise<number> {
    const { modifiedCount } = await this.model.collection.updateMany(filter, operators(change));
    return modifiedCount;
  }

  /** Changes for each filter the one record that fits it, with one call, in no order. @returns how many were changed */
  async changeEach(changes: readonly { readonly filter: Filter; readonly change: Change }[]): Promise<number> {
    if (changes.length === 0) return 0;
    const operations = changes.map(({ filter, change }) => ({ updateOne: { filter, update: operators(change) } }));
    return (await this.model.collection.bulkWrite(operations, { ordered: false })).modifiedCount;
  }

  /** Writes the record whole, whether or not one with its id exists. */
  async put(record: T): Promise<void> {
    await this.model.collection.replaceOne({ _id: record._id } as never, record, { upsert: true });
  }

  /** @returns false when there was no such record */
  async replace(record: T): Promise<boolean> {
    try {
      const { matchedCount } = await this.model.collection.replaceOne({ _id: record._id } as never, record);
      return matchedCount > 0;
    } catch (error) {
      throw duplicateOr(error);
    }
  }

  /** Writes all but the id of the one record that fits `filter`, in one step. @returns what was there, if anything */
  async swap(filter: Filter, { _id: _, ...fields }: T): Promise<T | undefined> {
    const options = { returnDocument: 'before' } as const;
    const found: unknown = await this.model.collection.findOneAndReplace(filter, fields, options);
    return (found ?? undefined) as T | undefined;
  }

  async remove(id: string): Promise<boolean> {
    const { deletedCount } = await this.model.collection.deleteOne({ _id: id } as never);
    return deletedCount > 0;
  }

  async removeAll(filter: Filter): Promise<number> {
    const { deletedCount } = await this.model.collection.deleteMany(filter);
    return deletedCount;
  }
}

const decoded = <T>(record: unknown): T => (record instanceof Uint8Array ? readBytes(record) : record) as T;

function readBytes({ buffer, byteOffset, byteLength }: Uint8Array): Record<string, unknown> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return readDocument(bytes, () => readId(bytes));
}

function operators({ set, unset, push, pull, inc }: Change): Record<string, unknown> {
  return {
    ...(set && Object.keys(set).length > 0 ? { $set: set } : {}),
    ...(unset && unset.length > 0 ? { $unset: Object.fromEntries(unset.map((field) => [field, ''])) } : {}),
    ...(push ? { $push: push } : {}),
    ...(pull ? { $pull: pull } : {}),
    ...(inc ? { $inc: inc } : {}),
  };
}
