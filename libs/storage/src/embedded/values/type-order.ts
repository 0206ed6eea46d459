import { type mongo } from 'mongoose';

/**
 * The order of types in a MongoDB sort, as the first byte of an encoded value. Two values compare by `<` only when they
 * are of one class. 0x00 and 0xff stay free for terminators and open ends.
 */
export const TypeOrder = {
  minKey: 0x01,
  emptyArray: 0x08,
  null: 0x0a,
  number: 0x10,
  string: 0x20,
  object: 0x28,
  array: 0x30,
  binary: 0x38,
  objectId: 0x40,
  boolean: 0x48,
  date: 0x50,
  timestamp: 0x58,
  regex: 0x60,
  other: 0x68,
  maxKey: 0x70,
} as const;

export type TypeOrder = (typeof TypeOrder)[keyof typeof TypeOrder];

/** Represents an array without elements when sorting: it comes before null. */
export const EMPTY_ARRAY = Object.freeze({ _bsontype: 'EmptyArray' });

const bsonTypes: Readonly<Record<string, TypeOrder>> = {
  MinKey: TypeOrder.minKey,
  EmptyArray: TypeOrder.emptyArray,
  Long: TypeOrder.number,
  Decimal128: TypeOrder.number,
  Binary: TypeOrder.binary,
  ObjectId: TypeOrder.objectId,
  Timestamp: TypeOrder.timestamp,
  BSONRegExp: TypeOrder.regex,
  BSONSymbol: TypeOrder.string,
  MaxKey: TypeOrder.maxKey,
  Code: TypeOrder.other,
  DBRef: TypeOrder.object,
};

/** The class of a stored value; a missing one counts as null. */
export function typeOrder(value: unknown): TypeOrder {
  switch (typeof value) {
    case 'undefined':
      return TypeOrder.null;
    case 'number':
      return TypeOrder.number;
    case 'string':
      return TypeOrder.string;
    case 'boolean':
      return TypeOrder.boolean;
    default:
      return value === null ? TypeOrder.null : objectOrder(value as object);
  }
}

function objectOrder(value: object): TypeOrder {
  if (Array.isArray(value)) return TypeOrder.array;
  if (value instanceof Date) return TypeOrder.date;
  if (value instanceof RegExp) return TypeOrder.regex;
  const type = (value as { _bsontype?: unknown })._bsontype;
  return typeof type === 'string' ? (bsonTypes[type] ?? TypeOrder.object) : TypeOrder.object;
}

/** Converts a stored numeric value; Long and Decimal128 values beyond a double's precision lose digits. */
export function toDouble(value: unknown): number {
  return typeof value === 'number' ? value : Number((value as mongo.Long | mongo.Decimal128).toString());
}
