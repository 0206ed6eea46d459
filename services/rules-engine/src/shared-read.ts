/**
 * Lets callers share reads: each gets the answer of a read that began after the call, and never more than one read is under
 * way, however many ask.
 */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = async (before: Promise<unknown>): Promise<T> => {
    await before.catch(() => undefined);
    running = next ?? running;
    next = undefined;
    return read();
  };
  return () => (next ??= begin(running));
}
