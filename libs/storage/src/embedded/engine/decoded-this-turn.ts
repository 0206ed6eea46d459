import { MIB } from '@switchyard/base';

/** Decoding a document of this size takes several milliseconds. Smaller documents do not count, so that short reads
 * never have to wait. */
const LARGE_BYTES = MIB / 2;

let isLarge = false;
const forget = () => void (isLarge = false);

/** Records that a document is decoded in this turn of the event loop. @returns its length */
export function noteDecoded(length: number): number {
  if (length >= LARGE_BYTES && !isLarge) {
    isLarge = true;
    setImmediate(forget);
  }
  return length;
}

/**
 * Whether a large document has been decoded in this turn. A read cannot stop within a document, so reads that begin in the same turn
 * would each decode one.
 */
export const hasDecodedLarge = (): boolean => isLarge;
