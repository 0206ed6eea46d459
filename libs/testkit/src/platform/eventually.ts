import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 45_000;
const LOOK_MS = 4;

/**
 * Looks until there is an answer.
 * @throws Error with the description when that takes too long
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  describe: () => string,
): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited in vain: ${describe()}`);
    await delay(LOOK_MS);
  }
}
