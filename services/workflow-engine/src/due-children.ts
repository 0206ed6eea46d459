import type { Id } from '@switchyard/base';
import { TERMINAL_STATUSES, type ExecutionRecord } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import type { Engine, RunEvent } from './run';

/** Executions that a run reads in a turn after messages were set aside. */
const DUE_AT_A_TIME = 200;

export interface DueChildren {
  readonly children: readonly ExecutionRecord[];
  /** Whether there may be others. */
  readonly more: boolean;
}

export const NONE_DUE: DueChildren = { children: [], more: false };

/**
 * Executions of a run that have ended and are due for it, without those that it has just heard of. Inner workflows that have not ended are due
 * for their own runs.
 */
export async function dueChildren(
  { executions }: Engine,
  workflow: Id,
  events: readonly RunEvent[],
): Promise<DueChildren> {
  const known = new Set(events.flatMap((event) => ('child' in event ? [event.child._id] : [])));
  const filter = { workflow_execution: workflow, due: 'workflow-engine', status: isOneOf(TERMINAL_STATUSES) } as const;
  const found = await executions.records.list({ filter, limit: DUE_AT_A_TIME });
  return { children: found.filter(({ _id }) => !known.has(_id)), more: found.length === DUE_AT_A_TIME };
}

/** With one write. An embedded store writes them in one turn. */
const SETTLED_AT_A_TIME = 50;

export async function settleDue(
  { executions: { records } }: Engine,
  children: readonly ExecutionRecord[],
): Promise<void> {
  for (let at = 0; at < children.length; at += SETTLED_AT_A_TIME)
    await records.settleEachAt(children.slice(at, at + SETTLED_AT_A_TIME), 'workflow-engine');
}
