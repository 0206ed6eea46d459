import { isPlainObject } from '@switchyard/base';
import { mongo } from 'mongoose';

/** Marks an object that stands for a value that JSON does not have. Field names that begin with it get another one. */
const MARK = '$';

/**
 * One record as a line of JSON. `{"$date": …}` is a date, `{"$binary": …}` bytes in base64, and `{"$bson": …}` any other
 * value that JSON does not have, as BSON in base64. A field name that begins with `$` gets another `$` as a prefix.
 */
export const encodeRecord = (record: object): string => JSON.stringify(record, escaped);

/** @throws SyntaxError */
export const decodeRecord = (line: string): Record<string, unknown> =>
  (line.includes(`"${MARK}`) ? JSON.parse(line, restored) : JSON.parse(line)) as Record<string, unknown>;

/** JSON has already replaced a date by a text, so this looks at the value itself. */
function escaped(this: Record<string, unknown>, name: string, shown: unknown): unknown {
  const value = this[name];
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : bsonOf(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shown;
  if (value instanceof Date) return { $date: value.getTime() };
  const bytes = bytesOf(value);
  if (bytes) return { $binary: bytes.toString('base64') };
  if (!isPlainObject(value)) return bsonOf(value);
  return Object.keys(value).some(isMarked) ? renamed(value, (key) => (isMarked(key) ? MARK + key : key)) : value;
}

function restored(_name: string, value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value);
  if (!names.some(isMarked)) return value;
  const [name = ''] = names;
  if (names.length === 1 && !isMarked(name.slice(1))) return restoredValue(name, value[name]);
  return renamed(value, (key) => (isMarked(key) ? key.slice(1) : key));
}

function restoredValue(kind: string, value: unknown): unknown {
  if (kind === '$date' && typeof value === 'number') return new Date(value);
  if (kind === '$binary' && typeof value === 'string') return Buffer.from(value, 'base64');
  if (kind === '$bson' && typeof value === 'string')
    return mongo.BSON.deserialize(Buffer.from(value, 'base64'))['value'];
  throw new SyntaxError(`unknown value ${kind}`);
}

const isMarked = (name: string): boolean => name.startsWith(MARK);

const renamed = (value: object, name: (key: string) => string): object =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [name(key), inner]));

const bsonOf = (value: unknown): object => ({
  $bson: Buffer.from(mongo.BSON.serialize({ value })).toString('base64'),
});

function bytesOf(value: object): Buffer | undefined {
  const bytes =
    value instanceof mongo.Binary && value.sub_type === mongo.Binary.SUBTYPE_DEFAULT ? value.value() : value;
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : undefined;
}
