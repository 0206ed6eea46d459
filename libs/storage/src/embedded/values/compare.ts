import { mongo } from 'mongoose';
import type { Document } from './document';
import { toDouble, TypeOrder, typeOrder } from './type-order';

/** Compares two stored values in MongoDB's sort order. @returns negative, zero or positive */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  const order = typeOrder(a);
  const difference = order - typeOrder(b);
  return difference !== 0 ? difference : sameClass[order](a as never, b as never);
}

/** Equality as in queries: 1 and Long(1) are equal; objects need the same fields in the same order. */
export const equalValues = (a: unknown, b: unknown): boolean => a === b || compareValues(a, b) === 0;

const sameClass: Readonly<Record<TypeOrder, (a: never, b: never) => number>> = {
  [TypeOrder.minKey]: () => 0,
  [TypeOrder.maxKey]: () => 0,
  [TypeOrder.emptyArray]: () => 0,
  [TypeOrder.null]: () => 0,
  [TypeOrder.number]: compareNumbers,
  [TypeOrder.string]: (a: unknown, b: unknown) => compareStrings(String(a), String(b)),
  [TypeOrder.object]: compareDocuments,
  [TypeOrder.array]: compareArrays,
  [TypeOrder.binary]: (a: mongo.Binary, b: mongo.Binary) =>
    a.position - b.position || a.sub_type - b.sub_type || Buffer.compare(bytesOf(a), bytesOf(b)),
  [TypeOrder.objectId]: (a: mongo.ObjectId, b: mongo.ObjectId) => Buffer.compare(a.id, b.id),
  [TypeOrder.boolean]: (a: boolean, b: boolean) => Number(a) - Number(b),
  [TypeOrder.date]: (a: Date, b: Date) => a.getTime() - b.getTime(),
  [TypeOrder.timestamp]: (a: mongo.Timestamp, b: mongo.Timestamp) => a.compare(b),
  [TypeOrder.regex]: (a: unknown, b: unknown) => compareStrings(String(a), String(b)),
  [TypeOrder.other]: (a: unknown, b: unknown) => compareStrings(JSON.stringify(a), JSON.stringify(b)),
};

const SURROGATE = /[\ud800-\udfff]/;

/** Compares by UTF-8 bytes, as a server does; `<` differs from that only for surrogates. */
function compareStrings(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

const bytesOf = (value: mongo.Binary): Uint8Array => value.buffer.subarray(0, value.position);

function compareNumbers(a: unknown, b: unknown): number {
  if (a instanceof mongo.Long && b instanceof mongo.Long) return a.compare(b);
  const [left, right] = [toDouble(a), toDouble(b)];
  if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < a.length && i < b.length; i += 1) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares field by field: type, then name, then value. */
function compareDocuments(a: Document, b: Document): number {
  const left = Object.keys(a);
  const right = Object.keys(b);
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    const [x, y] = [left[i] as string, right[i] as string];
    const order = typeOrder(a[x]) - typeOrder(b[y]) || compareStrings(x, y) || compareValues(a[x], b[y]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
