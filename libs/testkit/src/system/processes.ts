import { readFileSync } from 'node:fs';
import { eventually } from '../platform/eventually';

/** Whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export const untilGone = (pid: number): Promise<true> =>
  eventually(
    () => !isAlive(pid) || undefined,
    () => `process ${pid} is still there`,
  );
