import { MIB } from '@switchyard/base';
import { mongo } from 'mongoose';
import { isShallow } from '../../bson/read-document';
import { serverError, ServerErrorCode } from '../errors';
import type { Document } from '../values/document';
import { defineField, tooDeep } from '../values/to-stored';

const LARGEST_DOCUMENT_BYTES = 16 * MIB;

/** @throws MongoServerError for a document that is too large or nested too deeply */
export function encodeDocument(document: Document): Buffer {
  const bytes = mongo.BSON.serialize(document, { ignoreUndefined: false });
  if (bytes.length > LARGEST_DOCUMENT_BYTES) {
    throw serverError(
      ServerErrorCode.objectTooLarge,
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${LARGEST_DOCUMENT_BYTES}`,
    );
  }
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!isShallow(whole)) throw tooDeep();
  return whole;
}

/** Documents are stored with their id as the first field. */
export function withIdFirst(document: Document): Document {
  if (Object.keys(document)[0] === '_id') return document;
  const whole: Document = { _id: document['_id'] };
  for (const key of Object.keys(document)) if (key !== '_id') defineField(whole, key, document[key]);
  return whole;
}
