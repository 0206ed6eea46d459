import { duplicateKey } from '../errors';
import { indexOf, type Index, type IndexRecord } from '../indexes/index-definition';
import { indexEntries, keyValueOf, type IndexEntries } from '../indexes/index-entries';
import { isTouched } from '../indexes/is-touched';
import type { Document } from '../values/document';
import { KeyWriter } from '../values/key-writer';
import { isDamaged, readDocument } from '../../bson/read-document';
import type { Catalogue, CollectionRecord } from './catalogue';
import { noteDecoded } from './decoded-this-turn';
import type { DocumentCache } from './document-cache';
import { decodeId, encodeId, SPACE_BYTES, spaceRange } from './document-keys';
import { encodeDocument, withIdFirst } from './encode-document';
import type { StoreEnvironment } from './environment';
import { KeptCounts } from './kept-counts';
import { StorageFailure } from './write-queue';

const writer = new KeyWriter();

/** A stored document. The cache may share it, so copy it before changing it. */
export interface Stored {
  readonly id: Buffer;
  readonly document: Document;
}

/** The names of top-level fields that a write changed; undefined for all of them. */
export type Changed = ReadonlySet<string> | undefined;

/**
 * The documents and index entries of one collection. Writes must run inside a job of the `WriteQueue`, and each one checks
 * everything before its first change.
 */
export class CollectionStore {
  /** Counts the bytes of all documents that were decoded because they were not in the cache. */
  bytesDecoded = 0;
  /** Cached counts of lists that are read repeatedly. */
  readonly counts = new KeptCounts();
  private record: CollectionRecord | undefined;
  private list: readonly Index[] = [];
  private documentCount: number | undefined;

  constructor(
    readonly name: string,
    private readonly environment: StoreEnvironment,
    private readonly catalogue: Catalogue,
    private readonly cache: DocumentCache,
    private readonly options: { readonly namespace: string; readonly isJournal: boolean },
  ) {
    this.reload();
  }

  get namespace(): string {
    return this.options.namespace;
  }

  /** The order of the documents first, then the indexes. Empty if the collection does not exist. */
  get indexes(): readonly Index[] {
    return this.list;
  }

  get exists(): boolean {
    return this.record !== undefined;
  }

  /** Reads the catalogue again after a transaction was rolled back. */
  reload(): void {
    this.use(this.catalogue.read(this.name));
    this.documentCount = undefined;
    this.counts.clear();
  }

  count(): number {
    if (!this.record) return 0;
    return (this.documentCount ??= this.environment.count(spaceRange(this.record.space)));
  }

  /** @param keep whether the document is likely to be read again, so that the cache should keep it */
  get(id: Buffer, keep = true): Document | undefined {
    const cacheKey = this.cacheKey(id);
    const cached = this.cache.get(cacheKey);
    if (cached) return cached;
    const bytes = this.record && this.environment.get(this.documentKey(id));
    if (!bytes) return undefined;
    this.bytesDecoded += noteDecoded(bytes.length);
    const document = readDocument(bytes, () => decodeId(id));
    if (keep) this.cache.set(cacheKey, document, bytes.length);
    return document;
  }

  /** Creates the collection if it does not exist. */
  ensure(): CollectionRecord {
    if (!this.record) this.save({ name: this.name, space: this.catalogue.newSpace(), indexes: [] });
    return this.record as CollectionRecord;
  }

  insert(document: Document, keep = true): void {
    this.ensure();
    const whole = withIdFirst(document);
    const id = encodeId(whole['_id']);
    const existing = this.get(id);
    if (existing && !this.mayTakeFrom(existing))
      throw duplicateKey(this.namespace, '_id_', { _id: 1 }, { _id: whole['_id'] });
    const bytes = encodeDocument(whole);
    const entries = this.secondary.map((index) => indexEntries(index, whole, id));
    this.refuseDuplicates(whole, id, entries);
    if (existing) this.remove({ id, document: existing });
    this.secondary.forEach((index, i) => this.putEntries(index, entries[i] as IndexEntries, id));
    this.putDocument(id, whole, bytes, keep);
    if (this.documentCount !== undefined) this.documentCount += 1;
    this.counts.changed(undefined, whole);
  }

  /** @param changed the top-level fields that differ; entries of other indexes stay unchanged */
  replace(stored: Stored, document: Document, changed?: Changed): void {
    const { id } = stored;
    const bytes = encodeDocument(document);
    const known = isDamaged(stored.document) ? undefined : changed;
    const touched = this.secondary.filter((index) => !known || isTouched(index, known, stored.document, document));
    const entries = touched.map((index) => indexEntries(index, document, id));
    this.refuseDuplicates(document, id, entries, touched);
    if (isDamaged(stored.document)) this.removeLostEntries(new Set([hexOf(id)]));
    touched.forEach((index, i) => {
      const next = entries[i] as IndexEntries;
      const before = isDamaged(stored.document) ? undefined : indexEntries(index, stored.document, id);
      if (before) this.removeEntries(before, next.keys);
      this.putEntries(index, next, id, { there: before?.keys });
    });
    this.putDocument(id, document, bytes);
    this.counts.changed(stored.document, document);
  }

  remove({ id, document }: Stored): void {
    if (isDamaged(document)) this.removeLostEntries(new Set([hexOf(id)]));
    this.removeAllEntries(id, document);
    this.change(() => this.environment.remove(this.documentKey(id)));
    this.cache.delete(this.cacheKey(id));
    if (this.documentCount !== undefined) this.documentCount -= 1;
    this.counts.changed(document, undefined);
  }

  /** The keys of all documents and the bytes of one, valid or not, for repairs. */
  *ids(): Generator<Buffer, void, undefined> {
    if (!this.record) return;
    for (const { key } of this.environment.keys(spaceRange(this.record.space))) yield key.subarray(SPACE_BYTES);
  }

  bytesOf(id: Buffer): Buffer | undefined {
    return this.record && this.environment.get(this.documentKey(id));
  }

  /**
   * Replaces or removes documents by their bytes. Searches for index entries that can no longer be computed.
   * @throws MongoServerError when a unique index rejects a document
   */
  overwrite(changes: ReadonlyMap<string, Buffer | undefined>): void {
    const read = [...changes].map(([hex, bytes]) => {
      const id = Buffer.from(hex, 'hex');
      const document = bytes && readDocument(bytes, () => decodeId(id));
      // An unreadable document has no values that could be unique.
      const indexes = this.secondary.filter(({ record }) => document && !(record.unique && isDamaged(document)));
      const entries = indexes.map((index) => indexEntries(index, document as Document, id));
      if (document) this.refuseDuplicates(document, id, entries, indexes);
      return { id, bytes, indexes, entries, before: this.get(id) };
    });
    for (const { id, before } of read) if (before && !isDamaged(before)) this.removeAllEntries(id, before);
    this.removeLostEntries(
      new Set(read.filter(({ before }) => before && isDamaged(before)).map(({ id }) => hexOf(id))),
    );
    for (const { id, bytes, indexes, entries } of read) {
      indexes.forEach((index, i) => this.putEntries(index, entries[i] as IndexEntries, id));
      this.change(() => {
        if (bytes) this.environment.put(this.documentKey(id), bytes);
        else this.environment.remove(this.documentKey(id));
      });
      this.cache.delete(this.cacheKey(id));
    }
    this.documentCount = undefined;
    this.counts.clear();
  }

  /** Rebuilds the indexes. */
  rebuildIndexes(): void {
    const { indexes } = this.ensure();
    this.keepIndexes(() => false);
    this.addIndexes(indexes.map((record) => ({ ...record, multikeyPaths: [], exact: true, space: this.newSpace() })));
  }

  /** Builds indexes over the existing documents. */
  addIndexes(records: readonly IndexRecord[]): void {
    const { name, space, indexes } = this.ensure();
    const added = records.map((record) => indexOf(record));
    for (const { key } of this.environment.keys(spaceRange(space))) {
      const id = key.subarray(SPACE_BYTES);
      const document = this.get(id) as Document;
      const entries = added.map((index) => indexEntries(index, document, id));
      try {
        this.refuseDuplicates(document, id, entries, added);
      } catch (error) {
        for (const record of records) this.clearSpace(record.space);
        throw error;
      }
      added.forEach((index, i) => this.putEntries(index, entries[i] as IndexEntries, id, { save: false }));
    }
    this.save({ name, space, indexes: [...indexes, ...added.map(({ record }) => record)] });
  }

  /** Writes changed attributes of the indexes, or removes some indexes. */
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
    this.counts.clear();
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
        if (!owner || id.equals(owner)) continue;
        const holder = this.get(owner);
        if (!holder || !this.mayTakeFrom(holder)) {
          throw duplicateKey(this.namespace, index.record.name, { ...index.record.key }, keyValueOf(index, document));
        }
      }
    });
  }

  /** Whether another document may take the keys of this one. */
  private mayTakeFrom(document: Document): boolean {
    return !this.options.isJournal && isDamaged(document);
  }

  /** @param there the keys that already refer to the document */
  private putEntries(
    index: Index,
    { keys, multikeyPaths, exact }: IndexEntries,
    id: Buffer,
    { save = true, there }: { save?: boolean; there?: ReadonlyMap<string, Buffer> | undefined } = {},
  ): void {
    for (const [text, key] of keys) if (!there?.has(text)) this.change(() => this.environment.put(key, id));
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

  private removeAllEntries(id: Buffer, document: Document): void {
    for (const index of this.secondary) this.removeEntries(indexEntries(index, document, id));
  }

  /** All entries that refer to documents with unknown values. */
  private removeLostEntries(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return;
    for (const { record } of this.secondary)
      for (const { key, value } of this.environment.entries(spaceRange(record.space)))
        if (ids.has(hexOf(value))) this.change(() => this.environment.remove(key));
  }

  private putDocument(id: Buffer, document: Document, bytes: Buffer, keep = true): void {
    this.change(() => this.environment.put(this.documentKey(id), bytes));
    if (keep) this.cache.set(this.cacheKey(id), document, bytes.length);
  }

  private clearSpace(space: number): void {
    for (const { key } of this.environment.keys(spaceRange(space))) this.change(() => this.environment.remove(key));
  }

  /** From here on, an error means that the store is at fault, not the request. */
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

const hexOf = (id: Buffer): string => id.toString('hex');
