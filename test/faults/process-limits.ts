import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** How many file descriptors a process has open. */
export const openDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** How many of them are pipes, with and without a name. */
export const openPipes = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((descriptor) => isPipe(`/proc/${pid}/fd/${descriptor}`)).length;

function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    // It has been closed meanwhile.
    return false;
  }
}

/** How many it may open. */
export function limitOfDescriptors(pid: number): number {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
}

/** Changes that, while the process runs. */
export function setLimitOfDescriptors(pid: number, most: number): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`prlimit failed: ${stderr}`);
}
