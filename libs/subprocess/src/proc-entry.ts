import { readdirSync, readFileSync } from 'node:fs';

/** What `/proc/<pid>/stat` says about a process (proc(5), fields 3, 5, 6, 9, 20, 22, 27, 50 and 51). */
export interface ProcEntry {
  readonly pid: number;
  readonly state: string;
  readonly group: number;
  readonly session: number;
  readonly flags: number;
  /** How many threads live, besides a dead main thread that counts until all are dead. */
  readonly threads: number;
  /** Clock ticks since the machine started. A decimal text, as it is a 64-bit number. */
  readonly startTime: string;
  /** Addresses in its memory: the end of the program, both ends of the first environment. '0': not yet, or unknown. */
  readonly addresses: Readonly<Record<'codeEnd' | 'environmentStart' | 'environmentEnd', string>>;
}

/** Reads one entry; undefined when there is no such process (any more), or no /proc. */
export function readProcEntry(pid: number): ProcEntry | undefined {
  const stat = readProcFile(pid, 'stat');
  if (!stat) return undefined;
  // The second field is the program's name in parentheses, and may itself hold blanks and parentheses.
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
  };
}

/** All process ids of the machine (of the container); empty without /proc. */
export const allPids = (): number[] => numbersIn('/proc');

/** The thread ids of a process; empty when there is no such process (any more). */
export const threadsOf = (pid: number): number[] => numbersIn(`/proc/${pid}/task`);

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** Whether nothing of it runs any more. A process may well outlive its main thread, which is then a zombie. */
export const isDead = ({ state, threads }: ProcEntry): boolean => state === 'X' || (state === 'Z' && !(threads > 1));

/**
 * @param name relative to the process's folder
 * @returns undefined when it does not exist or may not be read, nothing when the process has no memory (any more)
 */
export function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ESRCH' ? '' : undefined;
  }
}
