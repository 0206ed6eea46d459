import { readFileSync, writeFileSync } from 'node:fs';
import { memory } from '../../bench/measure';
import type { TargetProcess } from './target';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The memory of processes in MB, by name and pid. */
export type Held = ReadonlyMap<string, number>;

const keyOf = ({ name, pid }: TargetProcess): string => `${name} ${pid}`;

/** Garbage does not count. */
export async function heldBy(processes: readonly TargetProcess[]): Promise<Held> {
  for (const { pid } of processes) signalIfAlive(pid);
  await wait(COLLECT_MS);
  return new Map(
    processes.flatMap((each) => (isAlive(each.pid) ? [[keyOf(each), memory(each.pid).nowMb] as const] : [])),
  );
}

/** The time to collect some hundred MB. A process that takes longer is measured again. */
const COLLECT_MS = 500;

export interface Growth {
  /** The process that has grown most, with preference for one that has grown too much. */
  readonly factor: number;
  readonly name: string;
  readonly fromMb: number;
  readonly toMb: number;
  /** Their current memory. */
  readonly held: Held;
}

/** Measures the growth of idle processes. Repeats the measurement while it is more than allowed. */
export async function settledGrowth(
  processes: readonly TargetProcess[],
  before: Held,
  { isAllowed, withinMs }: { isAllowed: (growth: Growth) => boolean; withinMs: number },
): Promise<Growth> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const growth = greatest(await heldBy(processes), before, isAllowed);
    if (isAllowed(growth) || Date.now() > deadline) return growth;
    await wait(REST_MS);
  }
}

/** V8 and the allocator release memory once a process has been idle for a while. */
const REST_MS = 8000;

function greatest(now: Held, before: Held, isAllowed: (growth: Growth) => boolean): Growth {
  const growths = [...now].map(([name, toMb]) => {
    const fromMb = before.get(name) ?? toMb;
    return { name, fromMb, toMb, factor: toMb / fromMb, held: now };
  });
  const [most] = growths.sort((a, b) => Number(isAllowed(a)) - Number(isAllowed(b)) || b.factor - a.factor);
  return most ?? { factor: 1, name: 'no process', fromMb: 0, toMb: 0, held: now };
}

/** Resets the peak of each process. */
export function forgetPeaks(processes: readonly TargetProcess[]): void {
  for (const { pid } of processes) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
    } catch {
      // The process has ended, or its peak cannot be reset and stays that of its lifetime.
    }
  }
}

/** The highest peak of any process since `forgetPeaks`, in MB. */
export const peakOf = (processes: readonly TargetProcess[]): number =>
  Math.max(0, ...processes.filter(({ pid }) => isAlive(pid)).map(({ pid }) => memory(pid).peakMb));

function signalIfAlive(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGUSR2');
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
