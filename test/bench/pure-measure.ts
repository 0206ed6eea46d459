import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes in use after garbage collection. */
export function heldMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Megabytes that the result of `make` retains. */
export function heldBy(make: () => unknown): number {
  const before = heldMb();
  const kept = [make()];
  const after = heldMb();
  // Used after the second measurement, so that it is still retained then.
  return kept.length > 0 ? after - before : 0;
}

/** Repeats the work until the given seconds have passed, at least once. */
export function repeat(seconds: number, work: () => void): number {
  const end = performance.now() + seconds * 1000;
  let rounds = 0;
  do {
    work();
    rounds += 1;
  } while (performance.now() < end);
  return rounds;
}
