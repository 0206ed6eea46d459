import { mongo, type Connection } from 'mongoose';
import { readId } from '../bson/read-document';
import type { RawRecords } from './raw-records';

type Document = Record<string, unknown>;

/** The records of a MongoDB server. Keys are ids as extended JSON. */
export function serverRecords(connection: Connection): RawRecords {
  const collectionOf = (name: string) => connection.getClient().db(connection.name).collection<Document>(name);
  const one = (key: string) => mongo.BSON.EJSON.parse(key) as Document;
  return {
    driver: 'mongodb',
    keyOf,
    async *each(collection) {
      for await (const record of collectionOf(collection).find({}, { raw: true })) {
        const bytes = bufferOf(record);
        const id = readId(bytes);
        yield { key: id === null ? undefined : keyOf(id), id: String(id), bytes };
      }
    },
    async get(collection, key) {
      const found = await collectionOf(collection).findOne(one(key), { raw: true });
      return found === null ? undefined : bufferOf(found);
    },
    async change(collection, changes) {
      for (const { key, bytes } of changes) {
        if (bytes === undefined) await collectionOf(collection).deleteOne(one(key));
        else await collectionOf(collection).replaceOne(one(key), typedDocument(bytes), { upsert: true });
      }
    },
    strayIndexEntries: () => [],
    rebuildIndexes: () => Promise.resolve(),
    fileProblems: () => [],
  };
}

const keyOf = (id: unknown): string => mongo.BSON.EJSON.stringify({ _id: id });

function bufferOf(record: unknown): Buffer {
  const { buffer, byteOffset, byteLength } = record as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Keeps the types of numbers. */
const typedDocument = (bytes: Buffer): Document => mongo.BSON.deserialize(bytes, { promoteValues: false });
