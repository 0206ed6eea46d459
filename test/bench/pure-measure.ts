import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes that are in use once everything that nobody refers to is gone. */
export function heldMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Megabytes that what `make` makes holds. */
export function heldBy(make: () => unknown): number {
  const before = heldMb();
  const kept = [make()];
  const after = heldMb();
  // Read after the second look, so that it is still held at it.
  return kept.length > 0 ? after - before : 0;
}

/** Goes through a piece of work at least once, and again until so many seconds are over. */
export function repeat(seconds: number, work: () => void): number {
  const end = performance.now() + seconds * 1000;
  let rounds = 0;
  do {
    work();
    rounds += 1;
  } while (performance.now() < end);
  return rounds;
}
