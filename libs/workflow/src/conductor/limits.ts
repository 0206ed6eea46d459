import { MIB } from '@switchyard/base';

/** What one run may amount to before it is ended as a failure. */
export interface Limits {
  /** Runs of tasks, retries not counted. */
  readonly entries: number;
  /** Items of all with-items tasks together. */
  readonly items: number;
  /** Published values of the whole run, as JSON text. */
  readonly publishedBytes: number;
}

export const DEFAULT_LIMITS: Limits = { entries: 1_000_000, items: 1_000_000, publishedBytes: 256 * MIB };
