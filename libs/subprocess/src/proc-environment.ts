import { isDead, readProcEntry, readProcFile, threadsOf, type ProcEntry } from './proc-entry';

/** A flag of the kernel in `/proc/<pid>/stat`. */
const KERNEL_THREAD = 0x200000;

/**
 * Whether the environment that the process was started with holds `NAME=value`. False when it may not be read.
 *
 * Undefined: it cannot be told yet. The kernel puts the new program's environment in its place at the very end of
 * execve(2). Until then, for milliseconds on a busy machine, the process has none that could be read. Neither has one
 * that has got its deadly signal, but still holds what it has opened.
 */
export function hasEnvironmentEntry(process: ProcEntry, entry: string): boolean | undefined {
  if ((process.flags & KERNEL_THREAD) !== 0) return false;
  const environment = readProcFile(process.pid, 'environ');
  if (environment === undefined) return false;
  return environment === '' ? mayGetEntry(process.pid, entry) : holds(environment, entry);
}

const holds = (environment: string, entry: string): boolean => `\0${environment}`.includes(`\0${entry}\0`);

/** Nothing could be read: of one that dies, that has an empty environment, or is in the middle of execve. */
function mayGetEntry(pid: number, entry: string): boolean | undefined {
  const now = readProcEntry(pid);
  if (now === undefined || isDead(now)) return false;
  if (now.threads > 1) return haveEntry(pid, threadsOf(pid), entry);
  return isEmptyOnPurpose(now) ? false : undefined;
}

/** A main thread that is dead, or dies because another one calls execve, does not show the environment; others do. */
function haveEntry(pid: number, threads: readonly number[], entry: string): boolean | undefined {
  const seen = threads.map((thread) => readProcFile(pid, `task/${thread}/environ`)).find((environment) => environment);
  return seen === undefined ? undefined : holds(seen, entry);
}

/** As after `env -i`. The end of the program is set last, when the environment has got its entries. */
const isEmptyOnPurpose = ({ addresses: { codeEnd, environmentStart, environmentEnd } }: ProcEntry): boolean =>
  codeEnd !== '0' && environmentStart === environmentEnd;
