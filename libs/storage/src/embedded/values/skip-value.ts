import { TypeOrder } from './type-order';

const DOUBLE_BYTES = 8;
const OBJECT_ID_BYTES = 12;
const DIGEST_BYTES = 16;

/**
 * The end of the value that begins at a position of a key written by `KeyWriter`. @returns undefined for objects, lists
 * and binary data, which are not parsed
 */
export function skipValue(key: Buffer, from: number, descending: boolean): number | undefined {
  const flip = descending ? 0xff : 0;
  const order = (key[from] ?? 0) ^ flip;
  const begin = from + 1;
  if (order === TypeOrder.string) return skipText(key, begin, flip);
  const bytes = fixedBytes(order);
  return bytes === undefined ? undefined : begin + bytes;
}

/** How many bytes follow the first one of a value, if its class tells. */
export function fixedBytes(order: number): number | undefined {
  switch (order) {
    case TypeOrder.number:
    case TypeOrder.date:
      return DOUBLE_BYTES;
    case TypeOrder.objectId:
      return OBJECT_ID_BYTES;
    case TypeOrder.boolean:
      return 1;
    case TypeOrder.minKey:
    case TypeOrder.null:
    case TypeOrder.maxKey:
      return 0;
    default:
      return undefined;
  }
}

/** A text ends with 00 00, or with 00 01 and a digest. 00 ff stands for a zero byte in it. */
function skipText(key: Buffer, begin: number, flip: number): number | undefined {
  for (let at = begin; ; at += 2) {
    at = key.indexOf(flip, at);
    if (at < 0) return undefined;
    const next = (key[at + 1] ?? 0) ^ flip;
    if (next === 0) return at + 2;
    if (next === 1) return at + 2 + DIGEST_BYTES;
  }
}
