/** A field of a document or an element of an array, by its position in BSON. */
export interface Element {
  readonly type: number;
  /** The position of its type. */
  readonly start: number;
  /** The position of its value. The name with its terminating zero lies between type and value. */
  readonly value: number;
  readonly end: number;
}

export const HEAD_BYTES = 4;

const DOCUMENT = 0x03;
const ARRAY = 0x04;

export const isContainer = (type: number): boolean => type === DOCUMENT || type === ARRAY;

/** The elements of a document in order, without nested ones. @throws RangeError when the bytes are no longer valid BSON */
export function* elementsOf(bytes: Buffer): Generator<Element, void, undefined> {
  for (let start = HEAD_BYTES; bytes[start] !== 0;) {
    const type = bytes[start] as number;
    const value = valueAt(bytes, start);
    const end = value + sizeOf(bytes, type, value);
    if (end >= bytes.length) throw new RangeError('a document has no end');
    yield { type, start, value, end };
    start = end;
  }
}

/** Builds a document from elements. @param parts their bytes */
export function documentOf(parts: readonly Buffer[]): Buffer {
  const whole = Buffer.concat([Buffer.alloc(HEAD_BYTES), ...parts, Buffer.of(0)]);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}

/** Encodes a text as an element. @param name with its terminating zero */
export function textElement(name: Buffer, text: string): Buffer {
  const value = Buffer.from(`${text}\0`);
  const length = Buffer.alloc(HEAD_BYTES);
  length.writeInt32LE(value.length, 0);
  return Buffer.concat([Buffer.of(STRING), name, length, value]);
}

/** The depth of a document, computed without recursion. */
export function depthOf(bytes: Buffer): number {
  let open = 1;
  let deepest = 1;
  for (let at = HEAD_BYTES; at < bytes.length;) {
    const type = bytes[at] as number;
    if (type === 0) {
      open -= 1;
      at += 1;
      continue;
    }
    const value = valueAt(bytes, at);
    if (isContainer(type)) {
      open += 1;
      deepest = Math.max(deepest, open);
      at = value + HEAD_BYTES;
    } else at = value + sizeOf(bytes, type, value);
  }
  return deepest;
}

function valueAt(bytes: Buffer, element: number): number {
  const end = bytes.indexOf(0, element + 1);
  if (end < 0) throw new RangeError('a name has no end');
  return end + 1;
}

const STRING = 0x02;
const REGEX = 0x0b;

/** Sizes of values by BSON type. */
const FIXED: Readonly<Record<number, number>> = {
  ...{ 0x01: 8, 0x06: 0, 0x07: 12, 0x08: 1, 0x09: 8, 0x0a: 0, 0x10: 4, 0x11: 8, 0x12: 8, 0x13: 16, 0x7f: 0, 0xff: 0 },
};
/** For types that start with a length: the additional bytes. */
const MEASURED: Readonly<Record<number, number>> = {
  ...{ 0x02: 4, 0x03: 0, 0x04: 0, 0x05: 5, 0x0c: 16, 0x0d: 4, 0x0e: 4, 0x0f: 0 },
};

function sizeOf(bytes: Buffer, type: number, value: number): number {
  const fixed = FIXED[type];
  if (fixed !== undefined) return fixed;
  if (type === REGEX) return valueAt(bytes, valueAt(bytes, value - 1) - 1) - value;
  const further = MEASURED[type];
  if (further === undefined) throw new RangeError(`there is no type ${type} in BSON`);
  const length = bytes.readInt32LE(value);
  if (length < 0 || value + length > bytes.length) throw new RangeError('a value is longer than its document');
  return length + further;
}
