/** So long one piece of work may go on before others have their turn. */
const SLICE_MS = 8;

/** Work on the thread that answers everybody, cut into slices. */
export interface Slices {
  /** Resolves at once within a slice, and after others have had their turn at the end of one. */
  next(): Promise<void>;
}

export function slices(sliceMs = SLICE_MS): Slices {
  let start = performance.now();
  return {
    async next() {
      if (performance.now() - start < sliceMs) return;
      await new Promise((resolve) => setImmediate(resolve));
      start = performance.now();
    },
  };
}
