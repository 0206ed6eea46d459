import type { Status } from '../machines';

/** What happened to the action of a task. */
export interface TaskEvent {
  readonly task: string;
  readonly route: number;
  readonly status: Status;
  /** What the action gave, with a completed status. */
  readonly result?: unknown;
  /** From the hand-out, where the caller has it: events of another run of the task are then told apart and ignored. */
  readonly round?: number;
  /** From the hand-out: events of an earlier attempt are then ignored. */
  readonly attempt?: number;
}

/** What happened to the action of one item of a with-items task. */
export interface ItemEvent extends TaskEvent {
  readonly item: number;
}

export type AnyEvent = TaskEvent | ItemEvent;

export const itemOf = (event: AnyEvent): number | undefined => ('item' in event ? event.item : undefined);
