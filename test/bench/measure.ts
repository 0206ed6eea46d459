import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** CPU seconds used by a process and the children it has waited for. */
export function cpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses that can contain blanks.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const TICKS = 100;
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return (user + system + childUser + childSystem) / TICKS;
}

/** Megabytes of memory: the current use and the peak. */
export function memory(pid: number): { nowMb: number; peakMb: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { nowMb: Math.round(read('VmRSS')), peakMb: Math.round(read('VmHWM')) };
}

/** Milliseconds for a bare `sh -c` on this machine at present: the lower bound for a local command. */
export const rawSpawn = (rounds: number): Promise<Percentiles> => timeOf(['sh', '-c', 'echo hello'], rounds);

/** Milliseconds from start to end of a program, run sequentially. */
export async function timeOf([file = '', ...args]: readonly string[], rounds: number): Promise<Percentiles> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await once(spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore'] }), 'close');
    times.push(performance.now() - start);
  }
  return percentiles(times);
}
