import { serverError, ServerErrorCode } from '../errors';
import { KeyWriter, MAX_KEY_BYTES } from '../values/key-writer';
import { TypeOrder } from '../values/type-order';
import type { KeyRange } from './environment';

const writer = new KeyWriter();

export const SPACE_BYTES = 4;

export function spaceRange(space: number): KeyRange {
  return { start: writer.begin(space).take(), end: writer.begin(space + 1).take() };
}

/** The key of a document: its `_id`, encoded in order. */
export function encodeId(id: unknown): Buffer {
  if (Array.isArray(id) || id instanceof RegExp) {
    throw serverError(ServerErrorCode.badValue, "The '_id' value cannot be of type array or regex");
  }
  const key = writer.beginBare().value(id).take();
  if (key.length > MAX_KEY_BYTES) throw serverError(ServerErrorCode.keyTooLong, "The '_id' value is too long");
  return key;
}

/** Ids of records are strings. Any other id is shown as the bytes of its key. */
export function decodeId(id: Buffer): string {
  return id[0] === TypeOrder.string ? id.toString('utf8', 1, id.length - 2) : id.toString('hex');
}
