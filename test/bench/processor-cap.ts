import { accessSync, constants, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Control groups of Linux for processor time. */
const GROUPS = '/sys/fs/cgroup/cpu';
/** Short, so that a process with a small share does not stand still for long. */
const PERIOD_MICROS = 20_000;

/** Whether this process may limit the processor time of others. */
export function mayCap(): boolean {
  try {
    accessSync(join(GROUPS, 'cpu.cfs_quota_us'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Limits a process, and those that it starts later, to a part of a core.
 * @param share of a core
 * @returns a function that removes the limit. The process may have ended by then
 */
export function capProcessor(pid: number, share: number): () => void {
  const group = join(GROUPS, `svc-bench-${pid}`);
  mkdirSync(group);
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_MICROS));
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(PERIOD_MICROS * share)));
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return () => {
    moveBack(pid);
    rmdirSync(group);
  };
}

function moveBack(pid: number): void {
  try {
    writeFileSync(join(GROUPS, 'cgroup.procs'), String(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
