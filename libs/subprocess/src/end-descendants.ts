import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@switchyard/base';
import type { Elevation } from './process-run';
import { SIGNAL_SCRIPT } from './signal-script';
import { survivors, type Descendants, type Survivor } from './survivors';

export const DEFAULT_GRACE_MS = 5 * SECOND_MS;

/** How long killed processes may take to disappear, and how often to kill again, because a new child may have been missed. */
const KILL_WAIT_MS = SECOND_MS;
const KILL_ROUNDS = 5;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Ends all descendants: SIGTERM, then SIGKILL for those that are alive after the grace time. Returns as soon as none are left.
 * @returns the ids of processes that could not be ended, normally none
 */
export async function endDescendants(
  target: Descendants,
  options: { readonly graceMs?: number; readonly elevation?: Elevation } = {},
): Promise<number[]> {
  await signalDescendants(target, 'SIGTERM', options.elevation);
  let left = await waitUntilGone(() => survivors(target), options.graceMs ?? DEFAULT_GRACE_MS);
  for (let round = 0; left.length > 0 && round < KILL_ROUNDS; round++) {
    await signalDescendants(target, 'SIGKILL', options.elevation);
    left = await waitUntilGone(() => killSurvivors(target), KILL_WAIT_MS);
  }
  return left;
}

/** Polls at growing intervals, because there is no event for the end of processes that are not our own children. */
async function waitUntilGone(look: () => Promise<Survivor[]>, limitMs: number): Promise<number[]> {
  const end = performance.now() + limitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const left = await look();
    const rest = end - performance.now();
    if (left.length === 0 || rest <= 0) return left.map(({ pid }) => pid);
    await delay(Math.min(pause, rest));
  }
}

type EndSignal = 'SIGTERM' | 'SIGKILL';

/** Signals all living descendants, except those of other users without an elevation. */
async function signalDescendants(target: Descendants, signal: EndSignal, elevation?: Elevation): Promise<void> {
  if (target.leader !== undefined) sendSignal(-target.leader, signal);
  if (signal === 'SIGKILL') await killSurvivors(target);
  // All are found before the first is signalled, so that processes started for cleaning up do not get the signal. The group already
  // has its signal; a second one tells some programs to skip cleaning up.
  else for (const { pid, group } of await survivors(target)) if (group !== target.leader) sendSignal(pid, signal);
  if (elevation !== undefined) await signalElevated(target, signal, elevation);
}

/** Kills each descendant when it is found, before it starts another one. @returns those found, most of them dead by now */
const killSurvivors = (target: Descendants): Promise<Survivor[]> =>
  survivors(target, ({ pid }) => sendSignal(pid, 'SIGKILL'));

function sendSignal(pid: number, signal: EndSignal): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: the process has ended. EPERM: it belongs to another user, which needs an elevation.
  }
}

/** Does the same with the rights of the other user. Failures are ignored, because survivors are reported anyway. */
async function signalElevated(target: Descendants, signal: EndSignal, elevation: Elevation): Promise<void> {
  const [file, ...first] = elevation.command;
  const marker = target.marker === undefined ? '' : `${target.marker.name}=${target.marker.value}`;
  const group = target.leader === undefined ? '' : String(target.leader);
  const args = [...first, '/bin/sh', '-c', SIGNAL_SCRIPT, 'sh', signal.slice('SIG'.length), group, marker];
  const child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: 5000, killSignal: 'SIGKILL' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(elevation.input ?? '');
  await once(child, 'close').catch(() => undefined);
}
