import { readdirSync, readFileSync } from 'node:fs';

/** A process in `/proc/<pid>/stat` (proc(5), fields 3, 5, 6, 9, 20, 22, 27 and 50 to 52). */
export interface ProcEntry {
  readonly pid: number;
  readonly state: string;
  readonly group: number;
  readonly session: number;
  readonly flags: number;
  /** Number of living threads. A dead main thread counts until all threads are dead. */
  readonly threads: number;
  /** Clock ticks since the machine started, as decimal text, because it is a 64-bit number. */
  readonly startTime: string;
  /** Memory addresses: the end of the program, and the start and end of the initial environment. '0' if unknown or not yet set. */
  readonly addresses: Readonly<Record<'codeEnd' | 'environmentStart' | 'environmentEnd', string>>;
  /** As of wait(2). Only a zombie has one. */
  readonly exitStatus: number;
}

/** Reads an entry. @returns undefined if the process does not exist (any more), or without /proc */
export function readProcEntry(pid: number): ProcEntry | undefined {
  const stat = readProcFile(pid, 'stat');
  if (!stat) return undefined;
  // The second field is the name of the program in parentheses, which may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    state: fields[0] ?? '',
    group: Number(fields[2]),
    session: Number(fields[3]),
    flags: Number(fields[6]),
    threads: Number(fields[17]),
    startTime: fields[19] ?? '',
    addresses: {
      codeEnd: fields[24] ?? '0',
      environmentStart: fields[47] ?? '0',
      environmentEnd: fields[48] ?? '0',
    },
    exitStatus: Number(fields[49]),
  };
}

/** All process ids of the machine or the container. Empty without /proc. */
export const allPids = (): number[] => numbersIn('/proc');

/** The thread ids of a process. Empty if the process does not exist (any more). */
const threadsOf = (pid: number): number[] => numbersIn(`/proc/${pid}/task`);

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** Whether no thread of the process runs any more. A process may outlive its main thread, which is then a zombie. */
export const isDead = ({ state, threads }: ProcEntry): boolean => state === 'X' || (state === 'Z' && !(threads > 1));

/**
 * @param name path relative to the directory of the process
 * @returns undefined if the file does not exist or may not be read, an empty string if the process has no memory (any more)
 */
function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ESRCH' ? '' : undefined;
  }
}

/** A kernel flag in `/proc/<pid>/stat`. */
const KERNEL_THREAD = 0x200000;

/**
 * Whether the initial environment of the process has the entry `NAME=value`. False if it may not be read.
 *
 * Undefined means that it is not known yet. The kernel sets the environment of a new program at the very end of execve(2). Until
 * then, which can be milliseconds on a busy machine, the process has no readable environment. The same is true of a process that was
 * killed but has not released its files.
 */
export function hasEnvironmentEntry(process: ProcEntry, entry: string): boolean | undefined {
  if ((process.flags & KERNEL_THREAD) !== 0) return false;
  const environment = readProcFile(process.pid, 'environ');
  if (environment === undefined) return false;
  return environment === '' ? mayGetEntry(process.pid, entry) : holds(environment, entry);
}

/** The value of a variable in the initial environment of the process. Undefined if it has none, or may not be read. */
export function readEnvironmentEntry(pid: number, name: string): string | undefined {
  const [, value] = `\0${readProcFile(pid, 'environ') ?? ''}`.split(`\0${name}=`);
  return value?.split('\0')[0];
}

const holds = (environment: string, entry: string): boolean => `\0${environment}`.includes(`\0${entry}\0`);

/** For a process without a readable environment: it is dying, has an empty environment, or is in the middle of execve. */
function mayGetEntry(pid: number, entry: string): boolean | undefined {
  const now = readProcEntry(pid);
  if (now === undefined || isDead(now)) return false;
  if (now.threads > 1) return haveEntry(pid, threadsOf(pid), entry);
  return isEmptyOnPurpose(now) ? false : undefined;
}

/** A main thread that is dead, or dying because another thread calls execve, does not show the environment; other threads do. */
function haveEntry(pid: number, threads: readonly number[], entry: string): boolean | undefined {
  const seen = threads.map((thread) => readProcFile(pid, `task/${thread}/environ`)).find((environment) => environment);
  return seen === undefined ? undefined : holds(seen, entry);
}

/** As after `env -i`. The kernel sets the end of the program last, after the entries of the environment. */
const isEmptyOnPurpose = ({ addresses: { codeEnd, environmentStart, environmentEnd } }: ProcEntry): boolean =>
  codeEnd !== '0' && environmentStart === environmentEnd;

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
