import { readdirSync, readFileSync } from 'node:fs';

/** What `/proc/<pid>/stat` says about a process (proc(5), fields 3, 5, 6 and 22). */
export interface ProcEntry {
  readonly pid: number;
  readonly state: string;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since the machine started. A decimal text, as it is a 64-bit number. */
  readonly startTime: string;
}

/** Reads one entry; undefined when there is no such process (any more), or no /proc. */
export function readProcEntry(pid: number): ProcEntry | undefined {
  const stat = readProcFile(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, and may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    state: fields[0] ?? '',
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: fields[19] ?? '',
  };
}

/** Whether the environment that the process was started with holds `NAME=value`. False when it may not be read. */
export function hasEnvironmentEntry(pid: number, entry: string): boolean {
  const environment = readProcFile(pid, 'environ');
  return environment !== undefined && `\0${environment}`.includes(`\0${entry}\0`);
}

/** All process ids of the machine (of the container); empty without /proc. */
export function allPids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

export const isDead = (entry: ProcEntry): boolean => entry.state === 'Z' || entry.state === 'X';

function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
