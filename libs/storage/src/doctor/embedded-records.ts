import type { Connection } from 'mongoose';
import { databaseOf } from '../embedded/driver';
import { decodeId, encodeId } from '../embedded/engine/document-keys';
import { verifyIndexes } from '../embedded/engine/verify-indexes';
import type { RawRecords } from './raw-records';

/** The records of the embedded store. Keys are those of its documents, in hexadecimal. */
export function embeddedRecords(connection: Connection): RawRecords {
  const database = databaseOf(connection);
  const bytesOfKey = (key: string) => Buffer.from(key, 'hex');
  return {
    driver: 'embedded',
    keyOf: (id) => encodeId(id).toString('hex'),
    async *each(collection) {
      const store = database.collection(collection);
      for (const id of store.ids()) {
        const bytes = store.bytesOf(id);
        if (bytes) yield { key: id.toString('hex'), id: decodeId(id), bytes };
      }
    },
    get: (collection, key) => Promise.resolve(database.collection(collection).bytesOf(bytesOfKey(key))),
    change: (collection, changes) =>
      database.write(() =>
        database.collection(collection).overwrite(new Map(changes.map(({ key, bytes }) => [key, bytes]))),
      ),
    strayIndexEntries: (collection) => verifyIndexes(database.source(collection)),
    rebuildIndexes: (collection) => database.write(() => database.collection(collection).rebuildIndexes()),
    fileProblems: () => database.fileProblems(),
  };
}
