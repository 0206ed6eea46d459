// Runs a range of inputs in a thread of its own, so that an input that never ends, or takes all memory, ends only this.
import { parentPort, workerData } from 'node:worker_threads';
import { fuzzRange } from './fuzz-range';
import { fuzzTarget } from './targets';

export interface WorkerTask {
  readonly target: string;
  readonly seed: number;
  readonly range: readonly [from: number, to: number];
  /** One integer: the input that is being read. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

const { target, seed, range, progress } = workerData as WorkerTask;
parentPort?.postMessage(fuzzRange(fuzzTarget(target), seed, range, (index) => Atomics.store(progress, 0, index)));
