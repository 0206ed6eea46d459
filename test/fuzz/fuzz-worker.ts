// Runs a range of inputs in its own thread, so that an endless or memory-hungry input only ends this thread.
import { parentPort, workerData } from 'node:worker_threads';
import { fuzzRange } from './fuzz-range';
import { fuzzTarget } from './targets';

export interface WorkerTask {
  readonly target: string;
  readonly seed: number;
  readonly range: readonly [from: number, to: number];
  /** One integer: the number of the current input. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

const { target, seed, range, progress } = workerData as WorkerTask;
parentPort?.postMessage(fuzzRange(fuzzTarget(target), seed, range, (index) => Atomics.store(progress, 0, index)));
