import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { memory } from './measure';

export interface Stretches {
  readonly seconds: number;
  /** CPU time of the whole process, including runtime threads. */
  readonly cpuSeconds: number;
  /** The longest delay of a due timer. On a busy machine this includes the effect of other work. */
  readonly longestDelayMs: number;
  /** The most CPU time that the main thread used between two runs of its timers. */
  readonly longestTurnMs: number;
  readonly peakMb: number;
}

const SAMPLE_MS = 3;
const NANOS_PER_MS = 1_000_000;
const MICROS_PER_SECOND = 1_000_000;

/** Measures the CPU time of work in this process and how long it blocks the event loop. */
export async function stretchesOf(work: () => Promise<void>): Promise<Stretches> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const cpu = process.cpuUsage();
  const start = performance.now();
  let longestTurnMs = 0;
  let before = mainThreadMs();
  const timer = setInterval(() => {
    const now = mainThreadMs();
    longestTurnMs = Math.max(longestTurnMs, now - before);
    before = now;
  }, SAMPLE_MS);
  delays.enable();
  try {
    await work();
  } finally {
    delays.disable();
    clearInterval(timer);
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / MICROS_PER_SECOND,
    longestDelayMs: delays.max / NANOS_PER_MS,
    longestTurnMs,
    peakMb: memory(process.pid).peakMb,
  };
}

/** The thread id of the main thread is the process id. */
function mainThreadMs(): number {
  const [nanos] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanos) / NANOS_PER_MS;
}
