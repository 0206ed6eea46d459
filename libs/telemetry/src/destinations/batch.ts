/**
 * Collects lines and writes them together: a few milliseconds after the first, when there are many, and when the process exits.
 * A busy process then writes a hundred times a second instead of thousands of times, and `process.exit` loses nothing.
 */
export interface LogBatch {
  readonly add: (line: string) => void;
  readonly flush: () => void;
  /** Flushes, and stops listening for the exit of the process. */
  readonly end: () => void;
}

/** @param writeChunk writes complete lines synchronously */
export function createBatch(writeChunk: (chunk: string) => void): LogBatch {
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

/** One listener for all batches, because Node.js warns about leaks if there are many. */
function flushAtExit(flush: () => void): () => void {
  if (atExit.size === 0) process.on('exit', flushAll);
  atExit.add(flush);
  return () => {
    atExit.delete(flush);
    if (atExit.size === 0) process.off('exit', flushAll);
  };
}
