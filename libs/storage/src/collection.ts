import type { Connection, Model, Schema } from 'mongoose';
import { readDocument, readId } from './bson/read-document';
import { duplicateOr } from './duplicate-keys';
import { groupedWrites, mayHaveChanged, type RecognizableChange, type SingleWrites } from './grouped-writes';
import { idFirst } from './id-first';
import { isEmbedded } from './is-embedded';
import { mongooseSchema, type Layout } from './layouts/layout';
import { where, type At, type RecordChange, type Filter, type RecordPage, type RecordPath } from './filter';

/** One of several changes: of one matching record, or of all. */
export interface SeveralChange<T> {
  readonly filter: Filter<T>;
  readonly change: RecordChange<T>;
  readonly many?: boolean;
}

/** A change of records of unknown type. */
export interface AnyChange {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
  readonly push?: Readonly<Record<string, unknown>>;
  readonly pushAll?: Readonly<Record<string, readonly unknown[] | undefined>>;
  readonly pull?: Readonly<Record<string, unknown>>;
  readonly inc?: Readonly<Record<string, unknown>>;
}

/** Tests check writes against the schema of the records. */
export interface CheckWrite {
  /** @param record as stored @throws Error if it does not match */
  record(collection: string, record: object): void;
  /** @throws Error if the changed records would not match */
  change(collection: string, change: AnyChange): void;
}

const projection = (fields: readonly string[] | undefined) =>
  fields && Object.fromEntries(fields.map((field) => [field, 1 as const]));

/**
 * One collection with plain records in and out. All repositories use it: it hides mongoose's documents, and limits calls to the
 * small set of operations that are tested with both drivers.
 */
export class Collection<T extends { _id: string }> {
  readonly model: Model<T>;
  /** The embedded store decodes its own documents. Servers return bytes, so that one bad document cannot fail a list. */
  readonly #raw: { readonly raw?: true };
  readonly #isEmbedded: boolean;
  /** In groups on servers. The embedded store commits the writes of one turn together by itself. */
  readonly #writes: Pick<SingleWrites<T>, 'insert' | 'change'>;

  constructor(
    connection: Connection,
    private readonly name: string,
    readonly layout: Layout<T>,
    private readonly checkWrite?: CheckWrite,
  ) {
    this.#isEmbedded = isEmbedded(connection);
    this.#raw = this.#isEmbedded ? {} : { raw: true };
    this.model = connection.model<T>(name, mongooseSchema(layout) as Schema<T>, name);
    const single = this.#singleWrites();
    this.#writes = this.#isEmbedded ? single : groupedWrites(this.model.collection, single);
  }

  #singleWrites(): SingleWrites<T> {
    return {
      insert: async (record) => {
        await this.model.collection.insertOne(record as never);
        return record;
      },
      change: async ({ _id, filter, operators: update, known }) => {
        if (known) {
          const asKnown = this.#query({ ...filter, ...known.filter, _id });
          const { matchedCount } = await this.model.collection.updateOne(asKnown, update);
          if (matchedCount > 0) return known.after();
          if (!mayHaveChanged(known)) return undefined;
        }
        return this.#changeOne(this.#query({ ...filter, _id }), update);
      },
      read: (ids) => this.list({ filter: where<T>('_id', { $in: ids }) }),
    };
  }

  /** Casts to the types of the driver, which are not specific to the record. */
  #query(filter: Filter<T> | Record<string, unknown>): Record<string, unknown> {
    return (this.#isEmbedded ? filter : idFirst(filter)) as Record<string, unknown>;
  }

  /** @throws Fault `storage.duplicate` if a unique index rejects the record */
  async insert(record: T): Promise<T> {
    this.checkWrite?.record(this.name, record);
    try {
      return await this.#writes.insert(record);
    } catch (error) {
      throw duplicateOr(error);
    }
  }

  /** @throws Fault `storage.duplicate` if a unique index rejects a record; earlier ones may have been inserted */
  async insertMany(records: readonly T[], { once = false }: Pick<RecordPage<T>, 'once'> = {}): Promise<void> {
    for (const record of records) this.checkWrite?.record(this.name, record);
    if (records.length === 0) return;
    try {
      await this.model.collection.insertMany(records as never, (once && this.#isEmbedded ? { once } : {}) as never);
    } catch (error) {
      throw duplicateOr(error);
    }
  }

  async get(id: string): Promise<T | undefined> {
    return this.findOne(where<T>('_id', id));
  }

  async findOne(filter: Filter<T>, fields?: readonly RecordPath<T>[]): Promise<T | undefined> {
    const options = { ...this.#raw, ...(fields ? { projection: projection(fields) } : {}) };
    const found: unknown = await this.model.collection.findOne(this.#query(filter), options as never);
    return found === null ? undefined : decoded<T>(found);
  }

  async list(page: RecordPage<T> = {}): Promise<T[]> {
    return (await this.find(page).toArray()).map((record) => decoded<T>(record));
  }

  /** The same, one record at a time, for lists that may not fit into memory. */
  async *each(page: RecordPage<T> = {}): AsyncGenerator<T, void, undefined> {
    const cursor = this.find(page);
    try {
      for await (const record of cursor) yield decoded<T>(record);
    } finally {
      await cursor.close();
    }
  }

  private find({ filter = {}, fields, sort, limit, offset, once = false }: RecordPage<T>) {
    const options = {
      ...this.#raw,
      ...(once && this.#isEmbedded ? { once } : {}),
      ...(fields ? { projection: projection(fields) } : {}),
      ...(sort ? { sort } : {}),
      ...(limit === undefined ? {} : { limit }),
      ...(offset ? { skip: offset } : {}),
    };
    return this.model.collection.find(this.#query(filter), options as never);
  }

  async count(filter: Filter<T> = {}): Promise<number> {
    return this.model.collection.countDocuments(this.#query(filter));
  }

  async distinct<P extends RecordPath<T>>(field: P, filter: Filter<T> = {}): Promise<At<T, P>[]> {
    return this.model.collection.distinct(field, this.#query(filter)) as Promise<At<T, P>[]>;
  }

  /** Changes the one record that matches `filter` and returns its new form: the compare-and-set of all repositories. */
  async change(filter: Filter<T>, change: RecordChange<T>): Promise<T | undefined> {
    this.checkWrite?.change(this.name, change);
    return this.#changeOne(this.#query(filter), operators(change));
  }

  /**
   * The same for the record with an id. On servers, several such changes share calls.
   * @param knowledge see `RecognizableChange`
   */
  async changeRecord(
    _id: string,
    expected: Filter<T>,
    change: RecordChange<T>,
    { recognize, known }: Pick<RecognizableChange<T>, 'recognize' | 'known'>,
  ): Promise<T | undefined> {
    this.checkWrite?.change(this.name, change);
    // The embedded store has the new record at hand.
    const knowledge = { recognize, ...(known && !this.#isEmbedded ? { known } : {}) };
    return this.#writes.change({ _id, filter: expected, operators: operators(change), ...knowledge });
  }

  async #changeOne(filter: Record<string, unknown>, update: Record<string, unknown>): Promise<T | undefined> {
    const options = { returnDocument: 'after' } as const;
    const found: unknown = await this.model.collection.findOneAndUpdate(filter, update, options as never);
    return (found ?? undefined) as T | undefined;
  }

  /** @returns the number of changed records */
  async changeAll(filter: Filter<T>, change: RecordChange<T>): Promise<number> {
    this.checkWrite?.change(this.name, change);
    const { modifiedCount } = await this.model.collection.updateMany(this.#query(filter), operators(change));
    return modifiedCount;
  }

  /** Several changes with one call, unordered. @returns the number of changed records */
  async changeEach(changes: readonly SeveralChange<T>[]): Promise<number> {
    if (changes.length === 0) return 0;
    const operations = changes.map(({ filter, change, many = false }) => {
      this.checkWrite?.change(this.name, change);
      const operation = { filter: this.#query(filter), update: operators(change) };
      return many ? { updateMany: operation } : { updateOne: operation };
    });
    return (await this.model.collection.bulkWrite(operations, { ordered: false })).modifiedCount;
  }

  /** Writes the whole record, replacing one with its id if it exists. */
  async put(record: T): Promise<void> {
    this.checkWrite?.record(this.name, record);
    await this.model.collection.replaceOne({ _id: record._id } as never, record, { upsert: true });
  }

  /** @returns false if there was no such record */
  async replace(record: T): Promise<boolean> {
    this.checkWrite?.record(this.name, record);
    try {
      const { matchedCount } = await this.model.collection.replaceOne({ _id: record._id } as never, record);
      return matchedCount > 0;
    } catch (error) {
      throw duplicateOr(error);
    }
  }

  /** Atomically writes everything but the id of the one record that matches `filter`. @returns the previous record, if any */
  async swap(filter: Filter<T>, record: T): Promise<T | undefined> {
    this.checkWrite?.record(this.name, record);
    const { _id: _, ...fields } = record;
    const options = { returnDocument: 'before' } as const;
    const found: unknown = await this.model.collection.findOneAndReplace(this.#query(filter), fields, options);
    return (found ?? undefined) as T | undefined;
  }

  async remove(id: string): Promise<boolean> {
    const { deletedCount } = await this.model.collection.deleteOne({ _id: id } as never);
    return deletedCount > 0;
  }

  async removeAll(filter: Filter<T>): Promise<number> {
    const { deletedCount } = await this.model.collection.deleteMany(this.#query(filter));
    return deletedCount;
  }
}

const decoded = <T>(record: unknown): T => (record instanceof Uint8Array ? readBytes(record) : record) as T;

function readBytes({ buffer, byteOffset, byteLength }: Uint8Array): Record<string, unknown> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return readDocument(bytes, () => readId(bytes));
}

function operators<T>({ set, unset, push, pushAll, pull, inc }: RecordChange<T>): Record<string, unknown> {
  const lists = Object.entries(pushAll ?? {}).map(([field, elements]) => [field, { $each: elements }] as const);
  return {
    ...(set && Object.keys(set).length > 0 ? { $set: set } : {}),
    ...(unset && unset.length > 0 ? { $unset: Object.fromEntries(unset.map((field) => [field, ''])) } : {}),
    ...(push || pushAll ? { $push: { ...push, ...Object.fromEntries(lists) } } : {}),
    ...(pull ? { $pull: pull } : {}),
    ...(inc ? { $inc: inc } : {}),
  };
}
