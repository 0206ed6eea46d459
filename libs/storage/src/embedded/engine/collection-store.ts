import { mongo } from 'mongoose';
import { duplicateKey, serverError, ServerErrorCode } from '../errors';
import { indexOf, type Index, type IndexRecord } from '../indexes/index-definition';
import { indexEntries, keyValueOf, type IndexEntries } from '../indexes/index-entries';
import { defineField, tooDeep } from '../values/to-stored';
import type { Document } from '../values/document';
import { KeyWriter, MAX_KEY_BYTES } from '../values/key-writer';
import { isShallow, readDocument } from '../values/read-document';
import { TypeOrder } from '../values/type-order';
import type { Catalogue, CollectionRecord } from './catalogue';
import type { DocumentCache } from './document-cache';
import type { Environment, KeyRange } from './environment';
import { StorageFailure } from './write-queue';

const writer = new KeyWriter();
const LARGEST_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** A document as the store has it. It may be shared with the cache: copy it before changing it. */
export interface Stored {
  readonly id: Buffer;
  readonly document: Document;
}

/** The names of top-level fields that a write changed; undefined for all of them. */
export type Changed = ReadonlySet<string> | undefined;

/**
 * The documents and index entries of one collection. Writes belong inside a job of the `WriteQueue`, and each checks
 * everything before its first change.
 */
export class CollectionStore {
  private record: CollectionRecord | undefined;
  private list: readonly Index[] = [];
  private documentCount: number | undefined;

  constructor(
    readonly name: string,
    readonly namespace: string,
    private readonly environment: Environment,
    private readonly catalogue: Catalogue,
    private readonly cache: DocumentCache,
  ) {
    this.reload();
  }

  /** The documents' own order first, then the indexes. Empty for a collection that does not exist. */
  get indexes(): readonly Index[] {
    return this.list;
  }

  get exists(): boolean {
    return this.record !== undefined;
  }

  /** Reads the catalogue again, after a transaction that came to nothing. */
  reload(): void {
    this.use(this.catalogue.read(this.name));
    this.documentCount = undefined;
  }

  count(): number {
    if (!this.record) return 0;
    this.documentCount ??= this.environment.count(spaceRange(this.record.space));
    return this.documentCount;
  }

  get(id: Buffer): Document | undefined {
    const cacheKey = this.cacheKey(id);
    const cached = this.cache.get(cacheKey);
    if (cached) return cached;
    const bytes = this.record && this.environment.get(this.documentKey(id));
    if (!bytes) return undefined;
    const document = readDocument(bytes, () => decodeId(id));
    this.cache.set(cacheKey, document, bytes.length);
    return document;
  }

  /** Creates the collection when it does not exist. */
  ensure(): CollectionRecord {
    if (!this.record) this.save({ name: this.name, space: this.catalogue.newSpace(), indexes: [] });
    return this.record as CollectionRecord;
  }

  insert(document: Document): void {
    this.ensure();
    const whole = withIdFirst(document);
    const id = encodeId(whole['_id']);
    if (this.get(id)) throw duplicateKey(this.namespace, '_id_', { _id: 1 }, { _id: whole['_id'] });
    const bytes = encode(whole);
    const entries = this.secondary.map((index) => indexEntries(index, whole, id));
    this.refuseDuplicates(whole, id, entries);
    this.secondary.forEach((index, i) => this.putEntries(index, entries[i] as IndexEntries, id));
    this.putDocument(id, whole, bytes);
    if (this.documentCount !== undefined) this.documentCount += 1;
  }

  /** @param changed which top-level fields differ; the entries of other indexes are left as they are */
  replace(stored: Stored, document: Document, changed?: Changed): void {
    const { id } = stored;
    const bytes = encode(document);
    const touched = this.secondary.filter((index) => !changed || [...changed].some((field) => index.roots.has(field)));
    const entries = touched.map((index) => indexEntries(index, document, id));
    this.refuseDuplicates(document, id, entries, touched);
    touched.forEach((index, i) => {
      const next = entries[i] as IndexEntries;
      this.removeEntries(indexEntries(index, stored.document, id), next.keys);
      this.putEntries(index, next, id);
    });
    this.putDocument(id, document, bytes);
  }

  remove({ id, document }: Stored): void {
    for (const index of this.secondary) this.removeEntries(indexEntries(index, document, id));
    this.change(() => this.environment.remove(this.documentKey(id)));
    this.cache.delete(this.cacheKey(id));
    if (this.documentCount !== undefined) this.documentCount -= 1;
  }

  /** Builds an index over what is there. */
  addIndex(record: IndexRecord): void {
    const { name, space, indexes } = this.ensure();
    const index = indexOf(record);
    for (const { key } of this.environment.keys(spaceRange(space))) {
      const id = key.subarray(SPACE_BYTES);
      const document = this.get(id) as Document;
      const entries = indexEntries(index, document, id);
      try {
        this.refuseDuplicates(document, id, [entries], [index]);
      } catch (error) {
        this.clearSpace(record.space);
        throw error;
      }
      this.putEntries(index, entries, id, false);
    }
    this.save({ name, space, indexes: [...indexes, index.record] });
  }

  /** Writes changed attributes of the indexes, or leaves some of them out. */
  keepIndexes(keep: (record: IndexRecord) => boolean): void {
    const { name, space, indexes } = this.ensure();
    for (const record of indexes) if (!keep(record)) this.clearSpace(record.space);
    this.save({ name, space, indexes: indexes.filter(keep) });
  }

  drop(): void {
    if (!this.record) return;
    for (const { space } of [this.record, ...this.record.indexes]) this.clearSpace(space);
    this.change(() => this.catalogue.remove(this.name));
    this.use(undefined);
    this.cache.clear();
    this.documentCount = 0;
  }

  newSpace(): number {
    return this.catalogue.newSpace();
  }

  private get secondary(): readonly Index[] {
    return this.list.slice(1);
  }

  private use(record: CollectionRecord | undefined): void {
    this.record = record;
    if (!record) return void (this.list = []);
    const primary = {
      name: '_id_',
      key: { _id: 1 },
      space: record.space,
      unique: true,
      multikeyPaths: [],
      exact: true,
    } as const;
    this.list = [indexOf({ ...primary, multikeyPaths: [] }, true), ...record.indexes.map((index) => indexOf(index))];
  }

  private save(record: CollectionRecord): void {
    this.change(() => this.catalogue.write(record));
    this.use(record);
  }

  private refuseDuplicates(
    document: Document,
    id: Buffer,
    entries: readonly IndexEntries[],
    indexes: readonly Index[] = this.secondary,
  ): void {
    indexes.forEach((index, i) => {
      if (!index.record.unique) return;
      for (const key of (entries[i] as IndexEntries).keys.values()) {
        const owner = this.environment.get(key);
        if (owner && !id.equals(owner)) {
          throw duplicateKey(this.namespace, index.record.name, { ...index.record.key }, keyValueOf(index, document));
        }
      }
    });
  }

  private putEntries(index: Index, { keys, multikeyPaths, exact }: IndexEntries, id: Buffer, save = true): void {
    for (const key of keys.values()) this.change(() => this.environment.put(key, id));
    const { record } = index;
    const known = multikeyPaths.every((path) => record.multikeyPaths.includes(path)) && (exact || !record.exact);
    if (known) return;
    record.multikeyPaths = [...new Set([...record.multikeyPaths, ...multikeyPaths])];
    record.exact &&= exact;
    if (save) this.change(() => this.catalogue.write(this.record as CollectionRecord));
  }

  private removeEntries({ keys }: IndexEntries, kept?: ReadonlyMap<string, Buffer>): void {
    for (const [text, key] of keys) if (!kept?.has(text)) this.change(() => this.environment.remove(key));
  }

  private putDocument(id: Buffer, document: Document, bytes: Buffer): void {
    this.change(() => this.environment.put(this.documentKey(id), bytes));
    this.cache.set(this.cacheKey(id), document, bytes.length);
  }

  private clearSpace(space: number): void {
    for (const { key } of this.environment.keys(spaceRange(space))) this.change(() => this.environment.remove(key));
  }

  /** From here on an error means that the store, not the request, is at fault. */
  private change(action: () => void): void {
    try {
      action();
    } catch (error) {
      throw new StorageFailure(error);
    }
  }

  private documentKey(id: Buffer): Buffer {
    return writer
      .begin((this.record as CollectionRecord).space)
      .raw(id)
      .take();
  }

  private cacheKey(id: Buffer): string {
    return `${this.name} ${id.toString('latin1')}`;
  }
}

export const SPACE_BYTES = 4;

export function spaceRange(space: number): KeyRange {
  return { start: writer.begin(space).take(), end: writer.begin(space + 1).take() };
}

/** The key of a document: its `_id`, encoded in order. */
export function encodeId(id: unknown): Buffer {
  if (Array.isArray(id) || id instanceof RegExp) {
    throw serverError(ServerErrorCode.badValue, "The '_id' value cannot be of type array or regex");
  }
  const key = writer.beginBare().value(id).take();
  if (key.length > MAX_KEY_BYTES) throw serverError(ServerErrorCode.keyTooLong, "The '_id' value is too long");
  return key;
}

/** Ids of records are texts; another one is shown by the bytes of its key. */
function decodeId(id: Buffer): string {
  return id[0] === TypeOrder.string ? id.toString('utf8', 1, id.length - 2) : id.toString('hex');
}

function encode(document: Document): Buffer {
  const bytes = mongo.BSON.serialize(document, { ignoreUndefined: false });
  if (bytes.length > LARGEST_DOCUMENT_BYTES) {
    throw serverError(
      ServerErrorCode.objectTooLarge,
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${LARGEST_DOCUMENT_BYTES}`,
    );
  }
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!isShallow(whole)) throw tooDeep();
  return whole;
}

function withIdFirst(document: Document): Document {
  if (Object.keys(document)[0] === '_id') return document;
  const whole: Document = { _id: document['_id'] };
  for (const key of Object.keys(document)) if (key !== '_id') defineField(whole, key, document[key]);
  return whole;
}
