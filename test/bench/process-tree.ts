import { readdirSync, readFileSync } from 'node:fs';
import { cpuSeconds } from './measure';

const KB_PER_MB = 1024;

/** These processes and all their living descendants. */
export function withDescendants(roots: readonly number[]): number[] {
  const children = childrenByParent();
  const found = new Set(roots);
  // The set grows while it is read.
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

/** @returns undefined if the process has ended meanwhile */
function parentOf(pid: string): number | undefined {
  const text = whileItLives(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  // The second field is a name in parentheses that can contain blanks.
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
}

/** CPU seconds of the processes, of their living descendants and of those that they have waited for. */
export const treeCpuSeconds = (roots: readonly number[]): number => sumOf(withDescendants(roots), cpuSeconds);

/** Proportional set size of the processes and their descendants, in megabytes: a page that several processes share is divided among them. */
export const treePssMb = (roots: readonly number[]): number => sumOf(withDescendants(roots), pssMb);

/** File descriptors that the processes and their descendants have open. */
export const treeDescriptors = (roots: readonly number[]): number =>
  sumOf(withDescendants(roots), (pid) => readdirSync(`/proc/${pid}/fd`).length);

function pssMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / KB_PER_MB;
}

const sumOf = (pids: readonly number[], of: (pid: number) => number): number =>
  pids.reduce((sum, pid) => sum + (whileItLives(() => of(pid)) ?? 0), 0);

function whileItLives<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
