import { fault } from '@switchyard/base';
import { HASH_SPACE } from './sensor-hash';

/** From `start`, which belongs to it, up to `end`, which does not. */
export interface HashRange {
  readonly start: number;
  readonly end: number;
}

const RANGE = /^(min|\d+)\.\.(max|\d+)$/i;

/**
 * Reads `0..1024|2048..MAX`.
 * @throws Fault `sensor.hash-ranges`
 */
export const parseHashRanges = (text: string): HashRange[] =>
  text.split('|').map((part) => {
    const [, from, to] = RANGE.exec(part.trim()) ?? [];
    const range = { start: bound(from), end: bound(to) };
    // NaN, from what is no range at all, is not smaller than anything either.
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
