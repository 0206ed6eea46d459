import { KIB, newId, slices } from '@switchyard/base';
import type { BlobPointer, KeyRotationRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import type { StoreCollections } from '../collections';
import { above, anyFilter, isThere, startingWith, where, type Filter } from '../filter';
import { blobRepository, type BlobRepository } from '../repositories/blobs';
import { headOf } from '../sealing/sealer';
import { SEALED, SEALED_COLLECTIONS, sealedValue, type Ring, type SealedPlace } from '../sealing/sealed-places';

/** Encrypts a value with the current key. */
export interface Resealer {
  /** The id of the key that sealed a value, as shown in messages and counts. */
  keyOf(envelope: string): string;
  /** Whether the value is sealed with the current key in the current format. */
  isCurrent(envelope: string): boolean;
  /** Whether the ring has this key, and it is not the current one. */
  isFormer(key: string): boolean;
  /** @throws Error when no key opens the value */
  reseal(envelope: string): string;
}

/** Returns the resealer of a ring with its current keys; undefined for a ring that is not in use. */
export type Resealers = (ring: Ring) => Promise<Resealer | undefined>;

/** Where a walk continues: after a record of a collection. */
export interface WalkPosition {
  readonly collection: string;
  readonly after?: string;
}

/** The new form of a journal step that is stored as a blob; one of the two blobs is superfluous. */
export interface BlobDraft {
  readonly record: string;
  readonly former: string;
  readonly latter: string;
}

export interface WalkedSlice {
  /** Undefined at the end of the walk. */
  readonly next: WalkPosition | undefined;
  /** The number of values that were sealed with other keys and could be opened. */
  readonly found: number;
  /** The number of values that no key opens, by the id of the key that sealed them. */
  readonly lost: Readonly<Record<string, number>>;
  /** The locations of damaged values: their key exists, but does not open them. */
  readonly damaged: readonly DamagedValue[];
}

/** The place of an encrypted value. */
export type DamagedValue = NonNullable<KeyRotationRecord['damaged']>[number];

/** A walk over all encrypted values of a store, in slices. */
export interface StoreWalk {
  readonly start: WalkPosition;
  /**
   * Encrypts the values of the next records with the current keys. Each write replaces only the value that was read, so
   * a change in between is kept. @param noteDrafts records the blobs that are about to be written
   */
  slice(
    from: WalkPosition,
    resealers: Resealers,
    noteDrafts: (drafts: readonly BlobDraft[]) => Promise<void>,
  ): Promise<WalkedSlice>;
  /** Removes the blobs that an interrupted slice left behind. */
  clean(drafts: readonly BlobDraft[]): Promise<void>;
}

type AnyRecord = { _id: string } & Record<string, unknown>;

/** A slice ends after this many records, or this many encrypted bytes. */
const SLICE_RECORDS = 50;
const SLICE_BYTES = 1024 * KIB;

export function storeWalk(collections: StoreCollections): StoreWalk {
  const blobs = blobRepository(collections.blobs);
  const byName = new Map(
    Object.values(collections).map((each) => [each.model.collection.name, each as unknown as Collection<AnyRecord>]),
  );
  const recordsOf = (name: string) => byName.get(name)!;
  return {
    start: { collection: SEALED_COLLECTIONS[0]! },
    async slice(from, resealers, noteDrafts) {
      const places = SEALED.filter(({ collection }) => collection === from.collection);
      const records = recordsOf(from.collection);
      const { read, isLast } = await readSlice(records, places, from.after);
      const rings = { records: await resealers('records'), datastore: await resealers('datastore') };
      const counted = await resealRecords({ records, blobs, places, read, rings, noteDrafts });
      const last = read.at(-1)?._id;
      return { ...counted, next: isLast ? nextCollection(from.collection) : { ...from, ...(last && { after: last }) } };
    },
    async clean(drafts) {
      for (const { record, former, latter } of drafts) {
        const step = await collections.workflowJournal.get(record);
        for (const id of [former, latter]) if (step?.step_blob?.id !== id) await blobs.remove({ id });
      }
    },
  };
}

function nextCollection(name: string): WalkPosition | undefined {
  const collection = SEALED_COLLECTIONS[SEALED_COLLECTIONS.indexOf(name) + 1];
  return collection === undefined ? undefined : { collection };
}

async function readSlice(records: Collection<AnyRecord>, places: readonly SealedPlace[], after: string | undefined) {
  const paths = places.map(({ path }) => path.join('.'));
  const filter = {
    ...(after === undefined ? {} : { _id: above(after) }),
    ...anyFilter(paths.map((path) => where<AnyRecord>(path, isThere))),
  } as Filter<AnyRecord>;
  const fields = [...paths, ...places.flatMap(({ flag }) => flag ?? [])];
  const read: AnyRecord[] = [];
  let bytes = 0;
  for await (const record of records.each({ filter, fields, sort: { _id: 1 }, limit: SLICE_RECORDS })) {
    read.push(record);
    for (const place of places) bytes += sizeOf(sealedValue(record, place));
    if (bytes >= SLICE_BYTES) return { read, isLast: false };
  }
  return { read, isLast: read.length < SLICE_RECORDS };
}

const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : ((value as BlobPointer | undefined)?.bytes ?? 0);

interface ResealDeps {
  readonly records: Collection<AnyRecord>;
  readonly blobs: BlobRepository;
  readonly places: readonly SealedPlace[];
  readonly read: readonly AnyRecord[];
  readonly rings: Readonly<Record<Ring, Resealer | undefined>>;
  readonly noteDrafts: (drafts: readonly BlobDraft[]) => Promise<void>;
}

/** A value that has to be written. */
interface Resealed {
  readonly record: string;
  readonly path: string;
  readonly envelope: string;
  readonly latter: string;
  /** The blob that holds the value. */
  readonly former?: BlobPointer;
}

async function resealRecords({ records, blobs, places, read, rings, noteDrafts }: ResealDeps) {
  const lost: Record<string, number> = {};
  const damaged: DamagedValue[] = [];
  const resealed: Resealed[] = [];
  const slice = slices();
  for (const record of read)
    for (const place of places) {
      await slice.next();
      const value = sealedValue(record, place);
      const resealer = value === undefined ? undefined : rings[place.ring];
      const former = place.blob ? (value as BlobPointer | undefined) : undefined;
      const envelope = former ? await blobs.get(former) : (value as string | undefined);
      if (!resealer || envelope === undefined || resealer.isCurrent(envelope)) continue;
      try {
        const latter = resealer.reseal(envelope);
        resealed.push({ record: record._id, path: place.path.join('.'), envelope, latter, ...(former && { former }) });
      } catch {
        // The doctor names the record and the reason.
        const key = resealer.keyOf(envelope);
        lost[key] = (lost[key] ?? 0) + 1;
        if (resealer.isFormer(key))
          damaged.push({ collection: place.collection, id: record._id, field: place.path.join('.') });
      }
    }
  await writeValues(records, resealed);
  await writeBlobs({ records, blobs, noteDrafts }, resealed);
  return { found: resealed.length, lost, damaged };
}

async function writeValues(records: Collection<AnyRecord>, resealed: readonly Resealed[]): Promise<void> {
  await records.changeEach(
    resealed
      .filter(({ former }) => former === undefined)
      .map(({ record, path, envelope, latter }) => ({
        filter: { _id: record, ...where<AnyRecord>(path, startingWith(headOf(envelope))) },
        change: { set: { [path]: latter } },
      })),
  );
}

/** A blob is written under a new id, so that its record always points to a complete one. */
async function writeBlobs(
  { records, blobs, noteDrafts }: Pick<ResealDeps, 'records' | 'blobs' | 'noteDrafts'>,
  resealed: readonly Resealed[],
): Promise<void> {
  const drafts = resealed.flatMap(({ former, ...rest }) => (former ? [{ ...rest, former, id: newId() }] : []));
  if (drafts.length === 0) return;
  await noteDrafts(drafts.map(({ record, former, id }) => ({ record, former: former.id, latter: id })));
  for (const { record, path, former, latter, id } of drafts) {
    const pointer = await blobs.put(latter, id);
    const changed = await records.change(
      { _id: record, ...where<AnyRecord>(`${path}.id`, former.id) },
      { set: { [path]: pointer } },
    );
    await blobs.remove(changed ? former : pointer);
  }
}
