import { messageOf } from '@switchyard/base';
import { mongo } from 'mongoose';
import { depthOf, documentOf, elementsOf, isContainer, textElement } from './elements';

type Document = Record<string, unknown>;

/**
 * Maximum nesting depth of objects and arrays in a stored document, as on a MongoDB server. Code that copies, compares and
 * shows values recurses into them, and one document must not exhaust its stack.
 */
export const MAX_NESTING = 200;
export const TOO_DEEP = `unreadable: nested deeper than ${MAX_NESTING} levels`;

/** The minimum size of a level: a type, an empty name, a length and an end. */
const BYTES_OF_A_LEVEL = 7;

const damaged = new WeakSet<Document>();

/** Only the id was readable. */
export const isDamaged = (document: Document): boolean => damaged.has(document);

/**
 * Decodes a document. Values nested too deeply become a note; a damaged document has only its id and the reason.
 * @param idOf the id under which the document is stored
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

/** The id of a document whose other fields may be unreadable. */
export function readId(bytes: Buffer): unknown {
  try {
    for (const { start, value, end } of elementsOf(bytes))
      if (bytes.toString('latin1', start + 1, value - 1) === '_id')
        return mongo.BSON.deserialize(documentOf([bytes.subarray(start, end)]))['_id'];
  } catch {
    // A field before it, or the id itself, is damaged.
  }
  return null;
}

/** False if the document must be cut. */
export const isShallow = (bytes: Buffer): boolean =>
  bytes.length <= MAX_NESTING * BYTES_OF_A_LEVEL || depthOf(bytes) <= MAX_NESTING;

/** Replaces values nested too deeply by notes. Recurses no deeper than the nesting limit. */
function cutDeep(bytes: Buffer, depth: number): Buffer {
  const parts: Buffer[] = [];
  for (const { type, start, value, end } of elementsOf(bytes)) {
    if (!isContainer(type)) parts.push(bytes.subarray(start, end));
    else if (depth === MAX_NESTING) parts.push(textElement(bytes.subarray(start + 1, value), TOO_DEEP));
    else parts.push(bytes.subarray(start, value), cutDeep(bytes.subarray(value, end), depth + 1));
  }
  return documentOf(parts);
}
