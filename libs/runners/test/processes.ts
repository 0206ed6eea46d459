import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Whether a process of the group runs. */
export const isGroupAlive = (group: number): boolean =>
  readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && groupOf(pid) === group && isAlive(Number(pid)));

function groupOf(pid: string): number | undefined {
  try {
    const [, group] = /^\d+ \(.*\) \S \d+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(group);
  } catch {
    return undefined;
  }
}
