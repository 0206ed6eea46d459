import { mongo } from 'mongoose';
import { serverError, ServerErrorCode } from '../errors';
import type { Document } from './document';
import { MAX_NESTING } from '../../bson/read-document';

interface BsonLike {
  readonly _bsontype?: string;
  readonly toBSON?: () => unknown;
}

/**
 * Copies a caller's value as a MongoDB server would return it: undefined becomes null, buffers become Binary, typed numbers
 * become numbers, and mongoose's arrays and documents become plain.
 */
export function toStored(value: unknown, depth = 0): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return promoteLong(mongo.Long.fromBigInt(value));
  if (typeof value !== 'object') return value;
  const { toBSON } = value as BsonLike;
  if (typeof toBSON === 'function') return toStored(toBSON.call(value), depth);
  if (Array.isArray(value)) {
    refuseDepth(depth);
    return Array.from(value, (item) => (isSkipped(item) ? null : toStored(item, depth + 1)));
  }
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return value;
  if (value instanceof Uint8Array) return new mongo.Binary(Buffer.from(value));
  if ((value as BsonLike)._bsontype !== undefined) return fromBsonType(value);
  return toStoredDocument(value instanceof Map ? (Object.fromEntries(value) as Document) : (value as Document), depth);
}

/** As `toStored`, for a whole document. */
export function toStoredDocument(value: Document, depth = 0): Document {
  refuseDepth(depth);
  const plain = bsonForm(value);
  const stored: Document = {};
  for (const key of Object.keys(plain)) {
    const item = plain[key];
    if (!isSkipped(item)) defineField(stored, key, toStored(item, depth + 1));
  }
  return stored;
}

/** @param depth depth of the enclosing object or array */
function refuseDepth(depth: number): void {
  if (depth >= MAX_NESTING) throw tooDeep();
}

/** The message of a server. */
export const tooDeep = () =>
  serverError(ServerErrorCode.overflow, `BSONObj exceeds maximum nested object depth: ${MAX_NESTING}`);

/** Sets a field; `__proto__` is an ordinary field. */
export function defineField(target: Document, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

const isSkipped = (value: unknown): boolean => typeof value === 'function' || typeof value === 'symbol';

function bsonForm(value: Document): Document {
  const { toBSON } = value as BsonLike;
  return typeof toBSON === 'function' ? (toBSON.call(value) as Document) : value;
}

function fromBsonType(value: BsonLike): unknown {
  switch (value._bsontype) {
    case 'Int32':
    case 'Double':
      return (value as { valueOf(): unknown }).valueOf();
    case 'Long':
      return promoteLong(value as unknown as mongo.Long);
    case 'Binary': {
      const { buffer, position, sub_type } = value as unknown as mongo.Binary;
      return new mongo.Binary(Buffer.from(buffer.subarray(0, position)), sub_type);
    }
    default:
      return value;
  }
}

function promoteLong(value: mongo.Long): unknown {
  const number = value.toNumber();
  return Number.isSafeInteger(number) ? number : value;
}
