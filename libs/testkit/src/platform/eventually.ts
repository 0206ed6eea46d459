import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 120_000;
const LOOK_MS = 4;

/**
 * Calls `look` until it returns a value. Gives up when the text of `describe` has not changed for `patienceMs`, so that work
 * that makes progress may take as long as it needs on a busy machine, up to the time limit of the test.
 * @throws Error with the description
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  describe: () => string,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  let end = performance.now() + patienceMs;
  let described: string | undefined;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    described ??= describe();
    if (performance.now() > end) {
      const before = described;
      described = describe();
      if (described === before) throw new Error(`gave up waiting: ${described}`);
      end = performance.now() + patienceMs;
    }
    await delay(LOOK_MS);
  }
}
