import { readFileSync } from 'node:fs';
import { isDead, readProcEntry } from './proc-entry';

/** Identifies a process uniquely: process ids are reused, and a restarted machine counts ticks from zero. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from the start of the machine to the start of the process. Empty without /proc. */
  readonly startTime: string;
  readonly bootId: string;
}

/** The identity of a running process, or of a zombie. */
export function processIdentity(pid: number): ProcessIdentity {
  return { pid, startTime: readProcEntry(pid)?.startTime ?? '', bootId: bootId() };
}

/** Whether this process is running and not a zombie. False without /proc. */
export function isRunning({ pid, startTime }: Pick<ProcessIdentity, 'pid' | 'startTime'>): boolean {
  const entry = readProcEntry(pid);
  return entry !== undefined && entry.startTime === startTime && !isDead(entry);
}

let knownBootId: string | undefined;

/** A random string that changes with each start of the machine. Empty if the system has none. */
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
