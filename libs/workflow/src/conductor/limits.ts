import { MIB } from '@switchyard/base';
import { DEFAULT_ALLOWANCE, type AllowanceLimits } from '@switchyard/expressions';

/** What one run may amount to before it is ended as a failure. */
export interface Limits {
  /** Runs of tasks, retries not counted. */
  readonly entries: number;
  /** Items of all with-items tasks together. */
  readonly items: number;
  /** Items that are handed out at once; the others when these have been reported as running. Any number when absent. */
  readonly itemsAtOnce?: number;
  /** Published values of the whole run, as JSON text. */
  readonly publishedBytes: number;
  /** What the expressions of one task that is handed out, or of one event, may cost together. */
  readonly expressions: AllowanceLimits;
}

/** A list of items has so much more for each of them. */
export const PER_ITEM: AllowanceLimits = { steps: 100, durationMs: 1 };

export const DEFAULT_LIMITS: Limits = {
  entries: 1_000_000,
  items: 1_000_000,
  publishedBytes: 256 * MIB,
  expressions: DEFAULT_ALLOWANCE,
};
