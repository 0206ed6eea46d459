import type { Bench } from './bench';
import { NOOP } from './job-scenarios';
import { measured, SUBMITTERS } from './load';
import type { Measurement } from './measurement';
import { runJobs } from './submit';

const READERS = 4;

/** Pages of 50 executions, by one reader and by several. */
export async function listScenario(bench: Bench): Promise<Measurement[]> {
  const { api, scale } = bench;
  await runJobs(api, NOOP, Math.ceil(1000 * scale), SUBMITTERS);
  const list = async (readers: number, count: number) => {
    const times: number[] = [];
    const read = async () => {
      while (times.length < count) {
        const start = performance.now();
        await api.call('GET', '/v1/executions?limit=50');
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: readers }, read));
    return times;
  };
  return [
    await measured(bench, 'list of 50, idle', () => list(1, Math.ceil(100 * scale))),
    await measured(bench, `list of 50, ${READERS} readers`, () => list(READERS, Math.ceil(400 * scale))),
  ];
}
