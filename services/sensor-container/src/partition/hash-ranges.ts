import { fault } from '@switchyard/base';
import { HASH_SPACE } from './sensor-hash';

/** A range from `start` (inclusive) to `end` (exclusive). */
export interface HashRange {
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
