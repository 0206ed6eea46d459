import { messageOf } from '@switchyard/base';
import { mongo } from 'mongoose';
import { depthOf, documentOf, elementsOf, isContainer, textElement } from './elements';

type Document = Record<string, unknown>;

/**
 * How many objects and arrays may lie in each other in a stored document, as on a MongoDB server. What copies, compares and shows
 * values goes into itself for each of them, and must not be brought down by one document.
 */
export const MAX_NESTING = 200;
export const TOO_DEEP = `unreadable: nested deeper than ${MAX_NESTING} levels`;

/** The least that a level takes: a type, an empty name, a length and an end. */
const BYTES_OF_A_LEVEL = 7;

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

/** The id of a document whose other fields need not be readable. */
export function readId(bytes: Buffer): unknown {
  try {
    for (const { start, value, end } of elementsOf(bytes))
      if (bytes.toString('latin1', start + 1, value - 1) === '_id')
        return mongo.BSON.deserialize(documentOf([bytes.subarray(start, end)]))['_id'];
  } catch {
    // What stands before it, or itself, is damaged.
  }
  return null;
}

/** False for what has to be cut. */
export const isShallow = (bytes: Buffer): boolean =>
  bytes.length <= MAX_NESTING * BYTES_OF_A_LEVEL || depthOf(bytes) <= MAX_NESTING;

/** The same document with notes in place of what lies too deep. Goes into itself no deeper than documents may be. */
function cutDeep(bytes: Buffer, depth: number): Buffer {
  const parts: Buffer[] = [];
  for (const { type, start, value, end } of elementsOf(bytes)) {
    if (!isContainer(type)) parts.push(bytes.subarray(start, end));
    else if (depth === MAX_NESTING) parts.push(textElement(bytes.subarray(start + 1, value), TOO_DEEP));
    else parts.push(bytes.subarray(start, value), cutDeep(bytes.subarray(value, end), depth + 1));
  }
  return documentOf(parts);
}
