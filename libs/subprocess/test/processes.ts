import { readFileSync } from 'node:fs';

/** Whether a process is running and not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The process ids that a script printed, one on each line, at least one. */
export function printedPids(text: string): number[] {
  const pids = text.trim().split('\n').map(Number);
  if (!pids.every((pid) => pid > 1)) throw new Error(`Expected process ids, got ${JSON.stringify(text)}`);
  return pids;
}
