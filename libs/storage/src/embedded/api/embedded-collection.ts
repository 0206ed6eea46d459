import { mongo } from 'mongoose';
import { Readable } from 'node:stream';
import type { Database } from '../engine/database';
import { unsupported } from '../errors';
import { countMatching } from '../planner/counting';
import { collect, matchingRecords } from '../planner/matching';
import { parseQuery } from '../query/parse-filter';
import { parseProjection } from '../query/projection';
import { parseSort } from '../query/sort';
import { parseReplacement, parseUpdate, type Updater } from '../update/parse-update';
import type { Document } from '../values/document';
import { indexedValues } from '../values/indexed-values';
import { KeyWriter } from '../values/key-writer';
import { copyValue } from '../values/copy';
import { toStoredDocument } from '../values/to-stored';
import { EMPTY_ARRAY } from '../values/type-order';
import { AggregationCursor } from './aggregation-cursor';
import { parseOperations, runBulk, withId, type BulkOutcome } from './bulk-write';
import { FindCursor, type FindRequest } from './find-cursor';
import { createIndexes, dropIndex, listIndexes } from './indexes';
import { checkOptions } from './options';
import { removeMatching, updateMatching, type WriteOutcome } from './write-operations';
import { bulkResult, metadataResult, updateResult } from './write-results';

interface FindAndModifyOptions {
  readonly upsert?: boolean;
  readonly sort?: unknown;
  readonly projection?: Document;
  readonly arrayFilters?: unknown;
  readonly returnDocument?: 'before' | 'after';
  readonly includeResultMetadata?: boolean;
}

interface BulkOptions {
  readonly ordered?: boolean;
  /** Do not keep inserted documents in the cache. */
  readonly once?: boolean;
}

type UpdateOptions = Pick<FindAndModifyOptions, 'upsert' | 'sort' | 'arrayFilters'>;

/**
 * The methods of the server driver's `Collection` that mongoose and the repositories use. Its other methods throw an error that
 * names them. Methods are async, so that an error becomes a rejection.
 */
export class EmbeddedCollection {
  constructor(
    private readonly database: Database,
    readonly collectionName: string,
  ) {}

  get namespace(): string {
    return this.database.collection(this.collectionName).namespace;
  }

  find(filter: unknown = {}, options: Omit<FindRequest, 'filter'> = {}): FindCursor {
    checkOptions('find', options);
    return new FindCursor(() => this.source(), { ...options, filter });
  }

  async findOne(filter: unknown = {}, options: Omit<FindRequest, 'filter' | 'limit'> = {}): Promise<Document | null> {
    checkOptions('find', options);
    const selection = { filter: parseQuery(filter), sort: parseSort(options.sort), skip: options.skip ?? 0, limit: 1 };
    const project = parseProjection(options.projection);
    const [found] = await collect(matchingRecords(this.source(), selection), ({ document }) => project(document));
    return found ?? null;
  }

  async countDocuments(filter: unknown = {}, options: { skip?: number; limit?: number } = {}): Promise<number> {
    checkOptions('count', options);
    const { skip = 0, limit } = options;
    const parsed = parseQuery(filter);
    if (skip === 0 && limit === undefined) return countMatching(this.source(), parsed, () => keyOf(filter));
    return (await collect(matchingRecords(this.source(), { filter: parsed, skip, limit }), () => 0)).length;
  }

  async estimatedDocumentCount(options: object = {}): Promise<number> {
    checkOptions('count', options);
    return this.database.collection(this.collectionName).count();
  }

  async distinct(path: string, filter: unknown = {}, options: object = {}): Promise<unknown[]> {
    checkOptions('distinct', options);
    const parts = path.split('.');
    const writer = new KeyWriter();
    const values = new Map<string, unknown>();
    await collect(matchingRecords(this.source(), { filter: parseQuery(filter) }), ({ document }) => {
      for (const value of indexedValues(document, parts)) {
        const key = writer.beginBare().value(value).take().toString('latin1');
        if (value !== undefined && value !== EMPTY_ARRAY) values.set(key, value);
      }
    });
    return [...values.values()].map(copyValue);
  }

  aggregate(pipeline: readonly Document[] = [], options: { let?: Document } = {}): AggregationCursor {
    checkOptions('aggregate', options);
    return new AggregationCursor((name = this.collectionName) => this.database.source(name), pipeline, options.let);
  }

  async insertOne(document: Document, options: object = {}): Promise<Document> {
    checkOptions('insert', options);
    const stored = toStoredDocument(withId(document));
    await this.database.write(() => this.database.collection(this.collectionName).insert(stored));
    return { acknowledged: true, insertedId: document['_id'] };
  }

  async insertMany(documents: readonly Document[], options: BulkOptions = {}): Promise<Document> {
    checkOptions('insert', options);
    const operations = documents.map((document) => ({ insertOne: { document } }));
    const outcome = await this.runOperations(operations, options);
    // Throws. Without errors, the driver's result object would cost more than inserting a document.
    if (outcome.errors.length > 0) bulkResult(outcome, options.ordered);
    const { insertedCount, insertedIds } = outcome.counts;
    return { acknowledged: true, insertedCount, insertedIds };
  }

  async bulkWrite(operations: readonly Document[], options: BulkOptions = {}): Promise<unknown> {
    checkOptions('bulkWrite', options);
    return bulkResult(await this.runOperations(operations, options), options.ordered);
  }

  updateOne(filter: unknown, update: unknown, options: UpdateOptions = {}): Promise<Document> {
    return this.update(filter, () => parseUpdate(update, options.arrayFilters), options, false);
  }

  updateMany(filter: unknown, update: unknown, options: UpdateOptions = {}): Promise<Document> {
    return this.update(filter, () => parseUpdate(update, options.arrayFilters), options, true);
  }

  replaceOne(filter: unknown, replacement: unknown, options: UpdateOptions = {}): Promise<Document> {
    return this.update(filter, () => parseReplacement(replacement), options, false);
  }

  findOneAndUpdate(filter: unknown, update: unknown, options: FindAndModifyOptions = {}): Promise<Document | null> {
    return this.findAndModify(filter, () => parseUpdate(update, options.arrayFilters), options);
  }

  findOneAndReplace(
    filter: unknown,
    replacement: unknown,
    options: FindAndModifyOptions = {},
  ): Promise<Document | null> {
    return this.findAndModify(filter, () => parseReplacement(replacement), options);
  }

  async findOneAndDelete(filter: unknown, options: FindAndModifyOptions = {}): Promise<Document | null> {
    checkOptions('findAndModify', options);
    const parsed = parseQuery(filter);
    const sort = parseSort(options.sort);
    const project = parseProjection(options.projection);
    const [removed] = await this.database.write(() => removeMatching(this.source(), parsed, false, sort));
    const value = removed ? project(removed.document) : null;
    const outcome = { matched: removed ? 1 : 0, modified: 0 };
    return options.includeResultMetadata ? metadataResult(value, outcome) : value;
  }

  deleteOne(filter: unknown = {}, options: object = {}): Promise<Document> {
    return this.remove(filter, options, false);
  }

  deleteMany(filter: unknown = {}, options: object = {}): Promise<Document> {
    return this.remove(filter, options, true);
  }

  async createIndex(spec: unknown, options: Document = {}): Promise<string> {
    const [name] = await createIndexes(this.database, this.collectionName, [{ spec, options }]);
    return name as string;
  }

  async createIndexes(specs: readonly Document[], options: Document = {}): Promise<string[]> {
    const all = specs.map(({ key, ...rest }) => ({ spec: key, options: { ...rest, ...options } }));
    return createIndexes(this.database, this.collectionName, all);
  }

  async dropIndex(index: unknown): Promise<Document> {
    return dropIndex(this.database, this.collectionName, index);
  }

  async dropIndexes(): Promise<boolean> {
    await this.dropIndex('*');
    return true;
  }

  listIndexes(): { toArray(): Promise<Document[]>; stream(): Readable } {
    const toArray = async () => listIndexes(this.database, this.collectionName);
    return { toArray, stream: () => Readable.from(listIndexes(this.database, this.collectionName)) };
  }

  async indexes(): Promise<Document[]> {
    return listIndexes(this.database, this.collectionName);
  }

  async indexExists(names: string | readonly string[]): Promise<boolean> {
    const existing = new Set((await this.indexes()).map(({ name }) => name));
    return [names].flat().every((name) => existing.has(name));
  }

  async indexInformation(): Promise<Document> {
    const pairs = (await this.indexes()).map(({ name, key }) => [name, Object.entries(key as Document)] as const);
    return Object.fromEntries(pairs) as Document;
  }

  async drop(): Promise<boolean> {
    await this.database.write(() => this.database.collection(this.collectionName).drop());
    return true;
  }

  async isCapped(): Promise<boolean> {
    return false;
  }

  private source() {
    return this.database.source(this.collectionName);
  }

  private runOperations(operations: readonly Document[], { ordered, once }: BulkOptions): Promise<BulkOutcome> {
    const parsed = parseOperations(operations, once);
    return this.database.write(() => runBulk(this.source(), parsed, ordered ?? true));
  }

  private async update(
    filter: unknown,
    parse: () => Updater,
    options: UpdateOptions,
    many: boolean,
  ): Promise<Document> {
    checkOptions('update', options);
    const request = {
      filter: parseQuery(filter),
      update: parse(),
      upsert: options.upsert ?? false,
      many,
      sort: parseSort(options.sort),
    };
    return updateResult(await this.database.write(() => updateMatching(this.source(), request)));
  }

  private async findAndModify(
    filter: unknown,
    parse: () => Updater,
    options: FindAndModifyOptions,
  ): Promise<Document | null> {
    checkOptions('findAndModify', options);
    const { upsert = false, sort, returnDocument = 'before', includeResultMetadata } = options;
    const request = { filter: parseQuery(filter), update: parse(), upsert, many: false, sort: parseSort(sort) };
    const project = parseProjection(options.projection);
    const outcome: WriteOutcome = await this.database.write(() => updateMatching(this.source(), request));
    const found = returnDocument === 'after' ? (outcome.inserted ?? outcome.after) : outcome.before;
    const value = found ? project(found) : null;
    return includeResultMetadata ? metadataResult(value, outcome) : value;
  }

  private async remove(filter: unknown, options: object, many: boolean): Promise<Document> {
    checkOptions('delete', options);
    const parsed = parseQuery(filter);
    const removed = await this.database.write(() => removeMatching(this.source(), parsed, many).length);
    return { acknowledged: true, deletedCount: removed };
  }
}

const keyWriter = new KeyWriter();

/** Equal for equal filters; undefined for one with values that keys cannot hold exactly. */
function keyOf(filter: unknown): string | undefined {
  const writer = keyWriter.beginBare().value(filter);
  return writer.exact ? writer.take().toString('latin1') : undefined;
}

/** All other methods of the real driver's collections throw an error with their name. */
for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(mongo.Collection.prototype))) {
  if (typeof value !== 'function' || name in EmbeddedCollection.prototype) continue;
  Object.defineProperty(EmbeddedCollection.prototype, name, {
    value: () => {
      throw unsupported(`Collection.${name}()`);
    },
  });
}
