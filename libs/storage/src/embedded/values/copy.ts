import { mongo } from 'mongoose';
import { isDocument, type Document } from './document';
import { defineField } from './to-stored';

/** A deep copy of a stored value; BSON's immutable types are shared. */
export function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyValue);
  if (isDocument(value)) return copyDocument(value);
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof mongo.Binary) {
    return new mongo.Binary(Buffer.from(value.buffer.subarray(0, value.position)), value.sub_type);
  }
  return value;
}

/** @param deep the fields to copy deeply; others are shared. Absent means all fields */
export function copyDocument(document: Document, deep?: ReadonlySet<string>): Document {
  const copy: Document = { ...document };
  for (const key of deep ?? Object.keys(document))
    if (Object.hasOwn(document, key)) defineField(copy, key, copyValue(document[key]));
  return copy;
}
