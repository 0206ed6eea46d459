import type { Id, Micros } from '@switchyard/base';

/** A match: its trigger instance, and when that occurred. */
export interface CorrelatedEvent {
  readonly instance: Id;
  readonly at: Micros;
}

/** A match that runs the action later, unless another one takes its place. */
export interface PendingEvent extends CorrelatedEvent {
  /** When it does, or when another engine does it that the one that has taken it did not. */
  readonly due: Micros;
  /** It is about to run: none takes its place any more. */
  readonly taken?: boolean;
}

/** Matches that ran the action together. */
export interface Batch {
  /** The one that made it complete. */
  readonly by: Id;
  readonly members: readonly CorrelatedEvent[];
}

/** What is remembered of the matches of one rule in one group. */
export interface CorrelationState {
  /** Throttle: those that ran the action; accumulate: those that are gathered. Oldest first. */
  readonly entries: readonly CorrelatedEvent[];
  /** Accumulate: the last ones that were complete. */
  readonly batches: readonly Batch[];
  /** Debounce: waiting for their time, oldest first. */
  readonly pending: readonly PendingEvent[];
  /** The latest time of which something has been forgotten, or settled: what is not later has been decided before. */
  readonly floor: Micros;
}

export const NO_STATE: CorrelationState = { entries: [], batches: [], pending: [], floor: -1 };

/** What becomes of a match. */
export interface Decision {
  /** The same object when nothing changes. */
  readonly state: CorrelationState;
  /** True: the action runs for this match, now. */
  readonly run: boolean;
  /** Accumulate: the instances that it runs on, oldest first. */
  readonly members?: readonly Id[];
}

/** By time, and by id within one microsecond. */
export const inOrder = (a: CorrelatedEvent, b: CorrelatedEvent): number =>
  a.at - b.at || (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : 0);
