import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS, slices } from '@switchyard/base';
import { allPids, isRunning, readEnvironmentEntry, readProcEntry, type ProcessIdentity } from '../proc-entry';

/** In the environment of a spawn server: process id and start time of its owner. */
const OWNER_VARIABLE = 'SVC_SPAWN_SERVER_OWNER';

export const ownerEntry = ({ pid, startTime }: Pick<ProcessIdentity, 'pid' | 'startTime'>): Record<string, string> => ({
  [OWNER_VARIABLE]: `${pid}:${startTime}`,
});

const KILL_WAIT_MS = SECOND_MS;
const PAUSE_MS = 5;

/**
 * Kills the spawn servers whose owner has died. They normally end with it; but one that is stopped could later start a
 * requested process. Call this before looking for the processes of a dead owner.
 * @returns their process ids
 */
export async function endOrphanedSpawnServers(): Promise<number[]> {
  const orphans: number[] = [];
  const slice = slices();
  for (const pid of allPids()) {
    if (slice.isOver()) await slice.next();
    if (isOrphan(pid)) orphans.push(pid);
  }
  for (const pid of orphans) kill(pid);
  const end = performance.now() + KILL_WAIT_MS;
  while (orphans.some(isOrphan) && performance.now() < end) await delay(PAUSE_MS);
  return orphans;
}

function isOrphan(pid: number): boolean {
  const [owner, startTime] = readEnvironmentEntry(pid, OWNER_VARIABLE)?.split(':') ?? [];
  if (owner === undefined || startTime === undefined) return false;
  const entry = readProcEntry(pid);
  return entry !== undefined && isRunning(entry) && !isRunning({ pid: Number(owner), startTime });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
