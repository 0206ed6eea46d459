import type { Status } from '@switchyard/model';

/** What code that follows an execution needs to know about statuses. */
export interface Statuses {
  isStatus(text: string): text is Status;
  isTerminal(status: Status): boolean;
  /** Whether an execution no longer changes on its own: it has ended, is paused, or waits for an answer. */
  isSettled(status: Status): boolean;
}

/** Loads the domain model on first use. A command that only prints a list starts much faster without it. */
export async function loadStatuses(): Promise<Statuses> {
  const { isStatus, isTerminal } = await import('@switchyard/model');
  const isSettled = (status: Status): boolean => isTerminal(status) || status === 'paused' || status === 'pending';
  return { isStatus, isTerminal, isSettled };
}
