import { readFileSync } from 'node:fs';
import { isDead, readProcEntry } from './proc-entry';

/** Names one process for ever: process ids are given out again, and a restarted machine counts its ticks anew. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between the start of the machine and the start of the process; empty where there is no /proc. */
  readonly startTime: string;
  readonly bootId: string;
}

/** The identity of a running process (or of a dead one that nobody waited for yet). */
export function processIdentity(pid: number): ProcessIdentity {
  return { pid, startTime: readProcEntry(pid)?.startTime ?? '', bootId: bootId() };
}

/** Whether it is that very process that has this id, and is no zombie. False where there is no /proc. */
export function isRunning({ pid, startTime }: Pick<ProcessIdentity, 'pid' | 'startTime'>): boolean {
  const entry = readProcEntry(pid);
  return entry !== undefined && entry.startTime === startTime && !isDead(entry);
}

let knownBootId: string | undefined;

/** A random text that changes with each start of the machine; empty where there is none. */
export function bootId(): string {
  knownBootId ??= readBootId();
  return knownBootId;
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
