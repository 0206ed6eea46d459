import { readFileSync } from 'node:fs';
import { newId, systemClock } from '@switchyard/base';
import { paths, type Config } from '@switchyard/config';
import type { InstanceRecord, KeyRotationRecord } from '@switchyard/model';
import { openTestSite } from '@switchyard/testkit/platform';
import type { Connection } from 'mongoose';
import {
  connectMongo,
  createSealer,
  keyIdOf,
  liveKeyRing,
  loadKeyRing,
  openStore,
  parseKeyRing,
  storeRotation,
  type Store,
} from '../../src';
import { openEmbedded } from '../../src/embedded';
import { recordResealer } from '../../src/rotation/record-resealer';
import { SEALED, sealedValue, type Ring, type SealedPlace } from '../../src/sealing/sealed-places';

type AnyRecord = { _id: string } & Record<string, unknown>;

/** A store with both key files, for tests of rotations. Here, the ring of the datastore uses the format of records. */
export interface RotationSite {
  readonly config: Config;
  connection(): Connection;
  store(): Store;
  readonly files: Readonly<Record<Ring, string>>;
  /** Seals with the current key of a ring. */
  seal(ring: Ring, text: string): string;
  /** Begins a rotation. */
  begin(): Promise<KeyRotationRecord>;
  /** Requests the removal of the former keys. */
  retire(abandons?: boolean): Promise<KeyRotationRecord>;
  /** The last rotation. */
  last(): Promise<KeyRotationRecord>;
  /** Closes the store, so that another process can use it. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** The next step. */
  advance(): Promise<string>;
  /** Steps until there is nothing left to do. @returns the last outcome */
  carryOut(): Promise<string>;
  /** Processes that use keys. */
  readonly holders: InstanceRecord[];
  /** Stores a record with an encrypted text at a place. @returns its id */
  fill(place: SealedPlace, text: string): Promise<string>;
  /** The value of a record at a place, decrypted with the current keys of the file. */
  read(place: SealedPlace, id: string): Promise<string>;
  /** The ids of the keys of all encrypted values at all places. */
  keysInUse(): Promise<string[]>;
  close(): Promise<void>;
}

export async function rotationSite(): Promise<RotationSite> {
  const site = await openTestSite();
  const { config } = site;
  const where = paths(config);
  const files = { records: where.recordKey, datastore: where.datastoreKey };
  const { monotonicMs, nowMicros } = systemClock();
  const live = async (path: string) =>
    liveKeyRing({ path, first: await loadKeyRing(path), onProblem: () => undefined, monotonicMs });
  const keys = { records: await live(files.records), datastore: await live(files.datastore) };
  const holders: InstanceRecord[] = [];
  const open = async () => {
    const connection =
      config.storage.driver === 'mongodb'
        ? await connectMongo(config.database)
        : await openEmbedded({ directory: where.store });
    const store = await openStore(connection, createSealer(keys.records));
    const advance = storeRotation({
      ...{ store, config, paths: where, nowMicros, graceMs: 0 },
      recordKeys: keys.records,
      itemResealer: async () => recordResealer(keys.datastore),
      holders: async () => holders,
    });
    return { connection, store, advance };
  };
  let opened = await open();
  const advance = () => opened.advance();
  const recordsOf = (place: SealedPlace) => opened.connection.db!.collection<AnyRecord>(place.collection);
  const seal = (ring: Ring, text: string) => createSealer(keys[ring].reread()).seal(text);
  const envelopeAt = async (place: SealedPlace, record: AnyRecord) => {
    const value = sealedValue(record, place);
    return place.blob && value !== undefined ? opened.store.blobs.get(value as never) : (value as string | undefined);
  };
  return {
    ...{ config, files, seal, advance, holders },
    connection: () => opened.connection,
    store: () => opened.store,
    begin: () => opened.store.keyRotations.begin('ada', nowMicros()),
    retire: (abandons) => opened.store.keyRotations.retire('ada', abandons),
    last: async () => (await opened.store.keyRotations.last())!,
    suspend: () => opened.store.close(),
    async resume() {
      opened = await open();
    },
    async carryOut() {
      for (;;) {
        const outcome = await advance();
        if (outcome !== 'more') return outcome;
      }
    },
    async fill(place, text) {
      const _id = newId();
      const envelope = seal(place.ring, text);
      const value = place.blob ? await opened.store.blobs.put(envelope) : envelope;
      const inner = place.path.reduceRight<unknown>((below, name) => ({ [name]: below }), value) as object;
      const flags = place.flag === undefined ? {} : { [place.flag]: true };
      await recordsOf(place).insertOne({
        _id,
        liveaction_id: _id,
        name: _id,
        ref: _id,
        pack: _id,
        scope: _id,
        ...flags,
        ...inner,
      });
      return _id;
    },
    async read(place, id) {
      const record = await recordsOf(place).findOne({ _id: id });
      const envelope = await envelopeAt(place, record as AnyRecord);
      return createSealer(parseKeyRing(readFileSync(files[place.ring], 'utf8'))).open(envelope!);
    },
    async keysInUse() {
      const ids = new Set<string>();
      for (const place of SEALED)
        for (const record of (await recordsOf(place).find({}).toArray()) as AnyRecord[]) {
          const envelope = await envelopeAt(place, record);
          if (envelope !== undefined) ids.add(keyIdOf(envelope) ?? 'none');
        }
      return [...ids].sort();
    },
    async close() {
      await opened.store.close();
      await site.remove();
    },
  };
}
