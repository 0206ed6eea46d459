import { MINUTE_MS } from '@switchyard/base';
import type { Connection } from 'mongoose';
import type { Collection } from '../collection';
import { storeCollections } from '../collections';
import { ensureIndexes } from '../ensure-indexes';
import { isOneOf, where } from '../filter';
import { SCHEMA_VERSION } from '../migrations/migrations';
import { setSchema, UNFINISHED_IMPORT } from '../migrations/schema-version';
import { forgetProgress } from '../migrations/store-migrations';
import { ArchiveError, readArchive, type RecordChunk } from './archive-reader';
import type { ArchivedFile } from './archive-writer';
import type { StoredRecord } from './export-records';
import { lineHash, sameCount, Tallies, type ArchiveCount, type ArchiveHead } from './manifest';
import { collectionsOf, TRAVEL, type TransferPart } from './parts';
import { decodeRecord, encodeRecord } from './record-line';

export interface RecordImport {
  readonly connection: Connection;
  readonly path: string;
  readonly head: ArchiveHead;
  readonly parts: readonly TransferPart[];
  /** Receives each file of the archive. */
  readonly onFile: (file: ArchivedFile) => void;
}

/** A collection after an import: what the archive has, and what the store has. */
export interface ImportedCollection {
  readonly collection: string;
  readonly part: TransferPart;
  readonly count: ArchiveCount;
  readonly isVerified: boolean;
}

/** The records of a store that an import would add to, by collection. Those of an interrupted import of the archive do not count. */
export async function occupied({
  connection,
  head,
  parts,
}: Omit<RecordImport, 'path' | 'onFile'>): Promise<Record<string, number>> {
  const { meta, ...collections } = storeCollections(connection);
  const unfinished = (await meta.get(UNFINISHED_IMPORT))?.value as Progress | undefined;
  if (unfinished?.archive === head.id) return {};
  const counts: Record<string, number> = {};
  for (const name of collectionsOf(parts)) {
    const { model } = collections[name as keyof typeof collections];
    const count = await model.collection.countDocuments({});
    if (count > 0) counts[model.collection.name] = count;
  }
  return counts;
}

/**
 * Writes the records of an archive into a store that has none. After an interruption, another call with the same archive
 * continues. Until the end, no service starts with the store.
 */
export async function importRecords(deps: RecordImport): Promise<ImportedCollection[]> {
  const { meta, ...collections } = storeCollections(deps.connection);
  await Promise.all(Object.values(collections).map(({ model }) => ensureIndexes(model as never)));
  const before = (await meta.get(UNFINISHED_IMPORT))?.value as Progress | undefined;
  const isContinued = before?.archive === deps.head.id;
  const progress: Progress = isContinued ? before : { archive: deps.head.id, chunk: 0 };
  await setSchema(meta, Math.min(SCHEMA_VERSION, deps.head.schema));
  await forgetProgress({ meta });
  await meta.put({ _id: UNFINISHED_IMPORT, value: progress });
  const targets = new Map(collectionsOf(deps.parts).map((name) => targetOf(deps, name)));
  let mayBeThere = isContinued;
  for await (const item of readArchive(deps.path)) {
    if ('file' in item) deps.onFile(item.file);
    if (!('chunk' in item)) continue;
    const target = targets.get(item.chunk.collection);
    if (!target) continue;
    const records = newRecords(target, item.chunk, progress);
    if (records.length === 0) continue;
    // The interrupted call may have stored some of them.
    if (mayBeThere) await target.records.removeAll(where('_id', isOneOf(records.map(({ _id }) => _id))));
    mayBeThere = false;
    await target.records.insertMany(records, { once: true });
    await meta.put({ _id: UNFINISHED_IMPORT, value: { ...progress, chunk: item.chunk.number } });
  }
  const imported: ImportedCollection[] = [];
  for (const target of targets.values()) imported.push(await verified(target));
  if (imported.every(({ isVerified }) => isVerified)) await meta.remove(UNFINISHED_IMPORT);
  return imported;
}

/** How far an import has come. All chunks up to this one are in the store. */
interface Progress {
  readonly archive: string;
  readonly chunk: number;
}

interface Target {
  readonly name: string;
  readonly part: TransferPart;
  readonly records: Collection<StoredRecord>;
  /** The field with the time after which the store removes a record. */
  readonly expires: string | undefined;
  readonly lines: Tallies;
  /** Records with such a time, and their hashes. */
  readonly expiring: { readonly bytes: number; readonly at: Date; readonly hash: bigint }[];
}

function targetOf({ connection }: RecordImport, key: ReturnType<typeof collectionsOf>[number]): [string, Target] {
  const records = storeCollections(connection)[key] as unknown as Collection<StoredRecord>;
  const { name } = records.model.collection;
  const travel = TRAVEL[key];
  if (!('part' in travel)) throw new Error(`${name} is not exported`);
  const index = records.layout.indexes.find(({ options }) => options?.expireAfterSeconds !== undefined);
  const expires = index && Object.keys(index.fields)[0];
  return [name, { name, part: travel.part, records, expires, lines: new Tallies(), expiring: [] }];
}

/** Counts the records of a chunk. @returns those that are not known to be in the store */
function newRecords(target: Target, { number, lines }: RecordChunk, { chunk }: Progress): StoredRecord[] {
  const isDone = number <= chunk;
  const records: StoredRecord[] = [];
  for (const line of lines) {
    const record = isDone && target.expires === undefined ? undefined : (decodeRecord(line) as StoredRecord);
    const at = target.expires === undefined ? undefined : record?.[target.expires];
    if (at instanceof Date) target.expiring.push({ bytes: Buffer.byteLength(line), at, hash: lineHash(line) });
    else target.lines.of('lasting').add(line);
    if (record && !isDone) records.push(record);
  }
  return records;
}

/** Compares what is stored with what was read. Records that the store may remove just now do not count. */
async function verified({ name, part, records, expires, lines, expiring }: Target): Promise<ImportedCollection> {
  const until = new Date(Date.now() + MINUTE_MS);
  const isLeaving = (at: unknown) => at instanceof Date && at <= until;
  const expected = lines.of('lasting');
  for (const { at, hash, bytes } of expiring) if (!isLeaving(at)) expected.addHashed(bytes, hash);
  const stored = lines.of('stored');
  for await (const record of records.each({ once: true }))
    if (expires === undefined || !isLeaving(record[expires])) stored.add(encodeRecord(record));
  return { collection: name, part, count: stored.count, isVerified: sameCount(expected.count, stored.count) };
}

/** @throws ArchiveError if a program with this schema cannot use the records */
export function assertKnownSchema({ schema, version }: ArchiveHead): void {
  if (schema > SCHEMA_VERSION)
    throw new ArchiveError(
      `The records of the archive have schema version ${schema}; this program supports versions up to ${SCHEMA_VERSION}. Use version ${version} or later.`,
    );
}
