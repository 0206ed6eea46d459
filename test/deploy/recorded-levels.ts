import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../system/system-process';
import type { LoadName } from './pool-loads';

/** What the scheduler reports about a pool. */
export interface PoolLevels {
  readonly waiting: number;
  readonly active: number;
  readonly ageSeconds: number;
}

/** What `/metrics` of a running system said about a pool under a load. `record-levels-main.ts` records it. */
export interface RecordedLevels {
  /** The slots of the pool. */
  readonly slots: number;
  /** Each change: seconds since the load began, `waiting`, `active` and `ageSeconds`. */
  readonly changes: readonly (readonly [at: number, waiting: number, active: number, ageSeconds: number])[];
}

export const recordedFile = (load: LoadName): string => join(ROOT, 'test/deploy/recorded-levels', `${load}.json`);

export const recordedLevels = (load: LoadName): RecordedLevels =>
  JSON.parse(readFileSync(recordedFile(load), 'utf8')) as RecordedLevels;

/** What an autoscaler reads at a time, in seconds since the load began. */
export function levelsAt({ changes }: RecordedLevels, seconds: number): PoolLevels {
  const [, waiting, active, ageSeconds] = changes.findLast(([at]) => at <= seconds) ?? [0, 0, 0, 0];
  return { waiting, active, ageSeconds };
}
