/**
 * Collects lines and hands them on together: some milliseconds after the first, when there are many, and when the process
 * exits. So a busy process writes a hundred times a second instead of thousands, and `process.exit` loses nothing.
 */
export interface Batch {
  readonly add: (line: string) => void;
  readonly flush: () => void;
  /** Flushes, and no longer listens for the end of the process. */
  readonly end: () => void;
}

/** @param writeChunk writes whole lines at once, synchronously */
export function createBatch(writeChunk: (chunk: string) => void): Batch {
  let pending = '';
  const flush = () => {
    const chunk = pending;
    pending = '';
    if (chunk !== '') writeChunk(chunk);
  };
  const forget = flushAtExit(flush);
  return {
    add: (line) => {
      if (pending === '') setTimeout(flush, DELAY_MS);
      pending += `${line}\n`;
      if (pending.length > LARGEST_CHUNK) flush();
    },
    flush,
    end: () => {
      flush();
      forget();
    },
  };
}

const DELAY_MS = 10;
/** In characters. */
const LARGEST_CHUNK = 65_536;

const atExit = new Set<() => void>();
const flushAll = () => atExit.forEach((flush) => flush());

/** One listener for all batches: Node.js warns of leaks where many listen. */
function flushAtExit(flush: () => void): () => void {
  if (atExit.size === 0) process.on('exit', flushAll);
  atExit.add(flush);
  return () => {
    atExit.delete(flush);
    if (atExit.size === 0) process.off('exit', flushAll);
  };
}
