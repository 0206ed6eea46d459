import { createHash } from 'node:crypto';
import { fault } from '@switchyard/base';

/** A range from `start` (inclusive) to `end` (exclusive). */
interface HashRange {
  readonly start: number;
  readonly end: number;
}

const RANGE = /^(min|\d+)\.\.(max|\d+)$/i;

/**
 * Parses `0..1024|2048..MAX`.
 * @throws Fault `sensor.hash-ranges`
 */
export const parseHashRanges = (text: string): HashRange[] =>
  text.split('|').map((part) => {
    const [, from, to] = RANGE.exec(part.trim()) ?? [];
    const range = { start: bound(from), end: bound(to) };
    // Also rejects NaN, which comes from malformed ranges: it is not smaller than anything.
    if (!(range.start <= range.end)) throw fault('sensor.hash-ranges', { range: part });
    return range;
  });

export const isInRanges = (hash: number, ranges: readonly HashRange[]): boolean =>
  ranges.some(({ start, end }) => start <= hash && hash < end);

function bound(text: string | undefined): number {
  if (text === undefined) return Number.NaN;
  if (/^min$/i.test(text)) return 0;
  return /^max$/i.test(text) ? HASH_SPACE : Math.min(Number(text), HASH_SPACE);
}

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
