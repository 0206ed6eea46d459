import { setTimeout as delay } from 'node:timers/promises';

/** Waits, or ends at once when the signal is raised. The timer keeps the process alive: somebody waits for the broker. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
