import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import type { Document } from './document';
import { toDouble, TypeOrder, typeOrder } from './type-order';

/** Maximum length in bytes of the variable part of a value in a key; longer ones are cut and get a digest of the whole. */
const CUT_BYTES = 240;
const DIGEST_BYTES = 16;
/** Longer keys would fill a whole page of the data file. */
export const MAX_KEY_BYTES = 1978;
const SCRATCH_BYTES = 64 * 1024;

/**
 * Writes values so that comparing the bytes compares the values in MongoDB's order:
 * 1. Each value begins with its class (`TypeOrder`) and marks its own end, so values can follow each other.
 * 2. A descending value is the same with every bit inverted.
 * 3. Where bytes cannot hold the value exactly (long strings, 64-bit integers beyond 2^53) `exact` becomes false: equal
 *    values still have equal bytes, but order and inequality have to be checked on the document.
 */
export class KeyWriter {
  private readonly scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  private length = 0;
  exact = true;

  /** @param space the number of the key space, see `Catalogue` */
  begin(space: number): this {
    this.length = this.scratch.writeUInt32BE(space, 0);
    this.exact = true;
    return this;
  }

  beginBare(): this {
    this.length = 0;
    this.exact = true;
    return this;
  }

  byte(value: number): this {
    this.scratch[this.length++] = value;
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.scratch.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  value(value: unknown, descending = false): this {
    const from = this.length;
    this.ascending(value);
    if (descending) this.invert(from);
    return this;
  }

  take(): Buffer {
    const key = Buffer.allocUnsafe(this.length);
    this.scratch.copy(key, 0, 0, this.length);
    return key;
  }

  private invert(from: number): void {
    for (let i = from; i < this.length; i += 1) this.scratch[i] = ~(this.scratch[i] as number) & 0xff;
  }

  private ascending(value: unknown): void {
    const order = typeOrder(value);
    this.byte(order);
    switch (order) {
      case TypeOrder.number:
        return this.number(value);
      case TypeOrder.string:
        return this.string(String(value));
      case TypeOrder.object:
        return this.nested(value, (limit) => this.fields(value as Document, limit));
      case TypeOrder.array:
        return this.nested(value, (limit) => this.elements(value as readonly unknown[], limit));
      case TypeOrder.binary:
        return this.binary(value as mongo.Binary);
      case TypeOrder.objectId:
        return void this.raw((value as mongo.ObjectId).id);
      case TypeOrder.boolean:
        return void this.byte(value === true ? 2 : 1);
      case TypeOrder.date:
        return this.double((value as Date).getTime());
      case TypeOrder.timestamp:
      case TypeOrder.regex:
      case TypeOrder.other:
        this.exact = false;
        return this.string(String(value));
      default:
        return undefined;
    }
  }

  private number(value: unknown): void {
    const double = toDouble(value);
    if (typeof value !== 'number') this.exact = false;
    this.double(double);
  }

  /** The bits of a double, changed so that their bytes sort like numbers; NaN comes first, as in MongoDB. */
  private double(value: number): void {
    const { scratch, length } = this;
    this.length += 8;
    if (Number.isNaN(value)) return void scratch.fill(0, length, this.length);
    scratch.writeDoubleBE(value === 0 ? 0 : value, length);
    if ((scratch[length] as number) >= 0x80) return this.invert(length);
    scratch[length] = (scratch[length] as number) | 0x80;
  }

  /** UTF-8 with zero bytes as 00 ff, terminated by 00 00, or cut and terminated by 00 01 and a digest. */
  private string(value: string): void {
    if (value.length > CUT_BYTES) return this.cut(Buffer.from(value));
    const from = this.length;
    const end = from + this.scratch.write(value, from, 'utf8');
    if (end - from > CUT_BYTES || value.includes('\0'))
      return this.bytes(Buffer.from(this.scratch.subarray(from, end)));
    this.length = end;
    this.byte(0).byte(0);
  }

  private bytes(value: Uint8Array): void {
    if (value.length > CUT_BYTES) return this.cut(value);
    for (const byte of value) {
      this.byte(byte);
      if (byte === 0) this.byte(0xff);
    }
    this.byte(0).byte(0);
  }

  private cut(value: Uint8Array): void {
    for (const byte of value.subarray(0, CUT_BYTES)) {
      this.byte(byte);
      if (byte === 0) this.byte(0xff);
    }
    this.digest(value);
  }

  private digest(value: Uint8Array): void {
    this.byte(0).byte(1).raw(createHash('sha256').update(value).digest().subarray(0, DIGEST_BYTES));
    this.exact = false;
  }

  private binary(value: mongo.Binary): void {
    const length = Buffer.allocUnsafe(5);
    length.writeUInt32BE(value.position, 0);
    length[4] = value.sub_type;
    this.raw(length).bytes(value.buffer.subarray(0, value.position));
  }

  /** Writes an object or array only up to the cut; a larger one ends with its digest. */
  private nested(value: unknown, write: (limit: number) => void): void {
    const from = this.length;
    write(from + CUT_BYTES);
    if (this.length - from <= CUT_BYTES) return void this.byte(0);
    this.length = from + CUT_BYTES;
    this.digest(mongo.BSON.serialize({ value }));
  }

  private fields(value: Document, limit: number): void {
    for (const key of Object.keys(value)) {
      if (this.length > limit) return;
      this.byte(typeOrder(value[key]));
      this.string(key);
      this.ascending(value[key]);
    }
  }

  private elements(value: readonly unknown[], limit: number): void {
    for (const item of value) {
      if (this.length > limit) return;
      this.ascending(item);
    }
  }
}
