import { createHash } from 'node:crypto';

/** Hashes are below this. */
export const HASH_SPACE = 2 ** 32;

const TOP_BITS = 0xf8000000;

/**
 * The position of a sensor in the hash space: the decimal digits of the MD5 of its reference, from last to first, mixed
 * into 32 bits. Existing configurations of ranges rely on exactly these numbers.
 */
export function sensorHash(ref: string): number {
  const digits = BigInt(`0x${createHash('md5').update(ref).digest('hex')}`).toString();
  let hash = 0;
  for (const digit of [...digits].reverse()) {
    const top = hash & TOP_BITS;
    hash = (hash << 5) ^ (top >>> 27) ^ Number(digit);
  }
  return hash >>> 0;
}
