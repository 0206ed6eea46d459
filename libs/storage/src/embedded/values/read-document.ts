import { messageOf } from '@switchyard/base';
import { mongo } from 'mongoose';
import type { Document } from './document';

/**
 * How many objects and arrays may lie in each other in a stored document, as on a MongoDB server. What copies, compares and shows
 * values goes into itself for each of them, and must not be brought down by one document.
 */
export const MAX_NESTING = 200;
export const TOO_DEEP = `unreadable: nested deeper than ${MAX_NESTING} levels`;

/** The document is about as large as one with a level for each of so many bytes. */
const BYTES_OF_A_LEVEL = 8;

const damaged = new WeakSet<Document>();

/** Nothing but the id could be read. */
export const isDamaged = (document: Document): boolean => damaged.has(document);

/**
 * Decodes a document. What lies too deep in it is a note; of one that is damaged there is only the id, and why.
 * @param idOf the id that the document is stored under
 */
export function readDocument(bytes: Buffer, idOf: () => unknown): Document {
  try {
    return mongo.BSON.deserialize(isShallow(bytes) ? bytes : cutDeep(bytes, 1));
  } catch (error) {
    const document = { _id: idOf(), unreadable: messageOf(error) };
    damaged.add(document);
    return document;
  }
}

/** False for what has to be cut. */
export const isShallow = (bytes: Buffer): boolean =>
  bytes.length <= MAX_NESTING * BYTES_OF_A_LEVEL || depthOf(bytes) <= MAX_NESTING;

const DOCUMENT = 0x03;
const ARRAY = 0x04;
const STRING = 0x02;
const HEAD_BYTES = 4;

const isContainer = (type: number): boolean => type === DOCUMENT || type === ARRAY;

/** How deep a document is, without going into itself. */
export function depthOf(bytes: Buffer): number {
  const ends: number[] = [bytes.length];
  let deepest = 1;
  for (let at = HEAD_BYTES; at < bytes.length;) {
    const type = bytes[at] as number;
    if (type === 0) {
      ends.pop();
      at += 1;
      continue;
    }
    const value = valueAt(bytes, at);
    if (isContainer(type)) {
      ends.push(value);
      deepest = Math.max(deepest, ends.length);
      at = value + HEAD_BYTES;
    } else at = value + sizeOf(bytes, type, value);
  }
  return deepest;
}

/** The same document with notes in place of what lies too deep. Goes into itself no deeper than documents may be. */
function cutDeep(bytes: Buffer, depth: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = HEAD_BYTES; bytes[at] !== 0;) {
    const type = bytes[at] as number;
    const value = valueAt(bytes, at);
    const end = value + sizeOf(bytes, type, value);
    if (!isContainer(type)) parts.push(bytes.subarray(at, end));
    else if (depth === MAX_NESTING) parts.push(noteAt(bytes.subarray(at + 1, value)));
    else parts.push(bytes.subarray(at, value), cutDeep(bytes.subarray(value, end), depth + 1));
    at = end;
  }
  const head = Buffer.alloc(HEAD_BYTES);
  const whole = Buffer.concat([head, ...parts, Buffer.of(0)]);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}

/** @param name with the zero that ends it */
function noteAt(name: Buffer): Buffer {
  const text = Buffer.from(`${TOO_DEEP}\0`);
  const length = Buffer.alloc(HEAD_BYTES);
  length.writeInt32LE(text.length, 0);
  return Buffer.concat([Buffer.of(STRING), name, length, text]);
}

function valueAt(bytes: Buffer, element: number): number {
  const end = bytes.indexOf(0, element + 1);
  if (end < 0) throw new RangeError('a name has no end');
  return end + 1;
}

/** Sizes of values by their type in BSON. */
const FIXED: Readonly<Record<number, number>> = {
  ...{ 0x01: 8, 0x06: 0, 0x07: 12, 0x08: 1, 0x09: 8, 0x0a: 0, 0x10: 4, 0x11: 8, 0x12: 8, 0x13: 16, 0x7f: 0, 0xff: 0 },
};
/** Of those that begin with a length: what comes on top of it. */
const MEASURED: Readonly<Record<number, number>> = {
  ...{ 0x02: 4, 0x03: 0, 0x04: 0, 0x05: 5, 0x0c: 16, 0x0d: 4, 0x0e: 4, 0x0f: 0 },
};
const REGEX = 0x0b;

function sizeOf(bytes: Buffer, type: number, value: number): number {
  const fixed = FIXED[type];
  if (fixed !== undefined) return fixed;
  if (type === REGEX) return valueAt(bytes, valueAt(bytes, value - 1) - 1) - value;
  const further = MEASURED[type];
  if (further === undefined) throw new RangeError(`there is no type ${type} in BSON`);
  const length = bytes.readInt32LE(value);
  if (length < 0 || value + length > bytes.length) throw new RangeError('a value is longer than its document');
  return length + further;
}
