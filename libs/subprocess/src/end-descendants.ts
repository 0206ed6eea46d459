import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@switchyard/base';
import type { Elevation } from './process-options';
import { killSurvivors, signalDescendants } from './send-signal';
import { survivors, type Descendants, type Survivor } from './survivors';

export const DEFAULT_GRACE_MS = 5 * SECOND_MS;

/** How long the kernel gets to bury what was killed, and how often that is tried (a new child may have slipped through). */
const BURIAL_MS = SECOND_MS;
const KILL_ROUNDS = 5;
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 100;

/**
 * Ends all descendants: SIGTERM, then SIGKILL for those that live after the grace time. Over as soon as nobody is left.
 * @returns who could not be ended, normally nobody
 */
export async function endDescendants(
  target: Descendants,
  options: { readonly graceMs?: number; readonly elevation?: Elevation } = {},
): Promise<number[]> {
  await signalDescendants(target, 'SIGTERM', options.elevation);
  let left = await waitUntilGone(() => survivors(target), options.graceMs ?? DEFAULT_GRACE_MS);
  for (let round = 0; left.length > 0 && round < KILL_ROUNDS; round++) {
    await signalDescendants(target, 'SIGKILL', options.elevation);
    left = await waitUntilGone(() => killSurvivors(target), BURIAL_MS);
  }
  return left;
}

/** Nothing tells when a group of other people's children becomes empty, so this looks, less and less often. */
async function waitUntilGone(look: () => Promise<Survivor[]>, limitMs: number): Promise<number[]> {
  const end = performance.now() + limitMs;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const left = await look();
    const rest = end - performance.now();
    if (left.length === 0 || rest <= 0) return left.map(({ pid }) => pid);
    await delay(Math.min(pause, rest));
  }
}
