import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import type { Finding, RangeOutcome } from './fuzz-range';
import type { WorkerTask } from './fuzz-worker';
import { inputOf } from './inputs';
import { fuzzTarget } from './targets';

export interface Supervised extends Omit<RangeOutcome, 'findings'> {
  readonly findings: readonly (Omit<Finding, 'kind'> & { readonly kind: Finding['kind'] | 'hang' | 'killed' })[];
}

/** CPU time, since only one thread works at a time and a parser never waits. */
const STUCK_MS = 10_000;
const LOOK_MS = 1_000;
const MEMORY_MB = 768;
/** Small ranges lose little when their thread is terminated. */
const RANGE = 5_000;

/**
 * Gives a parser `count` inputs. An input that blocks or kills a thread is a finding. Earlier findings of the same range are
 * lost with the thread, so those inputs run again.
 */
export async function supervise(target: string, seed: number, count: number): Promise<Supervised> {
  const total = { values: 0, refusals: 0, slowestMs: 0, findings: [] as Supervised['findings'][number][] };
  const ranges = Array.from({ length: Math.ceil(count / RANGE) }, (_, part) => rangeOf(part, count)).reverse();
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const ended = await runRange(target, seed, range);
    if ('values' in ended) {
      total.values += ended.values;
      total.refusals += ended.refusals;
      total.slowestMs = Math.max(total.slowestMs, ended.slowestMs);
      total.findings.push(...ended.findings);
    } else {
      const { index } = ended;
      total.findings.push({ ...ended, input: inputOf(fuzzTarget(target), seed, index) });
      ranges.push([index + 1, range[1]], [range[0], index]);
    }
  }
  return total;
}

const rangeOf = (part: number, count: number): WorkerTask['range'] => [
  part * RANGE,
  Math.min((part + 1) * RANGE, count),
];

interface Ended {
  readonly index: number;
  readonly kind: 'hang' | 'killed';
  readonly what: string;
}

function runRange(target: string, seed: number, range: WorkerTask['range']): Promise<RangeOutcome | Ended> {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const task: WorkerTask = { target, seed, range, progress };
  const worker = new Worker(join(__dirname, 'fuzz-worker.js'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  return new Promise((resolve, reject) => {
    const end = (outcome: RangeOutcome | Ended): void => {
      clearInterval(watch);
      resolve(outcome);
      void worker.terminate();
    };
    let [last, since] = [-1, 0];
    const watch = setInterval(() => {
      const index = Atomics.load(progress, 0);
      if (index !== last) [last, since] = [index, cpuTimeMs()];
      else if (cpuTimeMs() - since > STUCK_MS) end({ index, kind: 'hang', what: `more than ${STUCK_MS} ms` });
    }, LOOK_MS);
    worker.once('message', (outcome: RangeOutcome) => end(outcome));
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        end({ index: Atomics.load(progress, 0), kind: 'killed', what: `more than ${MEMORY_MB} MB` });
      } else {
        clearInterval(watch);
        reject(error);
      }
    });
  });
}
