import { join } from 'node:path';
import { mongo } from 'mongoose';
import { decodeId, SPACE_BYTES, spaceRange } from '../../src/embedded/engine/document-keys';
import { Catalogue } from '../../src/embedded/engine/catalogue';
import { StoreEnvironment } from '../../src/embedded/engine/environment';

const FIELD = 0x03;

/** A document with `field` nested this deep. Built iteratively, because encoders recurse. */
export function deepBytes(fields: Record<string, unknown>, depth: number, field = 'payload'): Buffer {
  const end = Buffer.from(mongo.BSON.serialize({ end: true }));
  const name = Buffer.from('a\0');
  const levels: Buffer[] = [];
  let length = end.length;
  for (let level = 2; level < depth; level++) {
    length += 4 + 1 + name.length + 1;
    const head = Buffer.alloc(5);
    head.writeInt32LE(length, 0);
    head[4] = FIELD;
    levels.push(Buffer.concat([head, name]));
  }
  const inner = Buffer.concat([...levels.reverse(), end, Buffer.alloc(levels.length)]);
  const flat = Buffer.from(mongo.BSON.serialize(fields));
  const whole = Buffer.concat([flat.subarray(0, -1), Buffer.of(FIELD), Buffer.from(`${field}\0`), inner, Buffer.of(0)]);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}

/** Not a BSON type. */
const NO_TYPE = 0x66;
const FIRST_TYPE = 4;

/** Nothing of it is readable. */
export function garbled(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[FIRST_TYPE] = NO_TYPE;
  return copy;
}

/** Ends in the middle of the named field; everything before it is intact. */
export const truncated = (bytes: Buffer, field: string): Buffer =>
  Buffer.from(bytes.subarray(0, bytes.indexOf(`${field}\0`) + field.length + 3));

/** Changes stored bytes of records in a closed store. @returns the previous bytes by id */
export function damageRecords(
  directory: string,
  collection: string,
  change: (id: string, bytes: Buffer) => Buffer | undefined,
): Map<string, Buffer> {
  const environment = new StoreEnvironment(join(directory, 'data.sqlite'));
  const before = new Map<string, Buffer>();
  try {
    const space = new Catalogue(environment).read(collection)?.space;
    for (const { key, value } of space === undefined ? [] : [...environment.entries(spaceRange(space))]) {
      const id = decodeId(key.subarray(SPACE_BYTES));
      const bytes = change(id, value);
      if (!bytes) continue;
      before.set(id, Buffer.from(value));
      environment.put(key, bytes);
    }
  } finally {
    environment.close();
  }
  return before;
}

/** The names of all collections of a closed store. */
export function collectionNames(directory: string): string[] {
  const environment = new StoreEnvironment(join(directory, 'data.sqlite'));
  try {
    return new Catalogue(environment).names();
  } finally {
    environment.close();
  }
}
