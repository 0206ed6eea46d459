import type { Bench } from './bench';
import type { Measurement } from './measurement';
import { memory, percentiles } from './measure';
import { treeCpuSeconds } from './process-tree';
import { runJobs, type Submission } from './submit';
import { pidsOf } from './target';

export const SUBMITTERS = 20;
const FEWEST_IDLE = 20;

/**
 * Runs a job one at a time, then with many submitters. Before that, it runs as often as it is measured later, since the code of a service that
 * has just started is interpreted, not compiled. @param most how often at scale 1
 */
export async function loadOf(bench: Bench, name: string, job: Submission, most: number): Promise<Measurement[]> {
  const { api, scale } = bench;
  const count = Math.ceil(most * scale);
  const tenth = Math.ceil(count / 10);
  await runJobs(api, job, count, SUBMITTERS);
  return [
    await measured(bench, `${name}, idle`, () => runJobs(api, job, Math.max(FEWEST_IDLE, tenth), 1)),
    await measured(bench, `${name}, ${SUBMITTERS} submitters`, () => runJobs(api, job, count, SUBMITTERS)),
  ];
}

/**
 * Takes one measurement: throughput, latencies, and the resources used by the system's processes, unless it runs
 * elsewhere.
 * @param run returns milliseconds
 */
export async function measured({ system }: Bench, what: string, run: () => Promise<number[]>): Promise<Measurement> {
  const pids = pidsOf(system);
  const cpu = treeCpuSeconds(pids);
  const start = performance.now();
  const times = await run();
  const seconds = (performance.now() - start) / 1000;
  const { p50, p95, p99 } = percentiles(times);
  const used = {
    'CPU ms each': ((treeCpuSeconds(pids) - cpu) / times.length) * 1000,
    'peak MB': pids.reduce((sum, pid) => sum + memory(pid).peakMb, 0),
  };
  return {
    what,
    figures: {
      'per second': times.length / seconds,
      'p50 ms': p50,
      'p95 ms': p95,
      'p99 ms': p99,
      ...(pids.length > 0 ? used : {}),
    },
  };
}
