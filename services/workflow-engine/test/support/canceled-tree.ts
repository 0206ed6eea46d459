import { TERMINAL_STATUSES, type ExecutionRecord } from '@switchyard/model';
import { anyFilter, isThere, noneOf } from '@switchyard/storage';
import { eventually } from '@switchyard/testkit/system';
import type { WorkflowSystem } from './workflow-system';

/** A workflow that calls itself twice. */
export const TWICE = 'version: 1.0\ntasks:\n  one:\n    action: tests.twice\n  two:\n    action: tests.twice\n';

/** Periodic reads are not counted as operations of what happens. */
export const SELDOM = {
  instances: { heartbeat_ms: 20_000, lease_ms: 60_000 },
  sweep: { interval_ms: 20_000, older_than_ms: 60_000 },
};

export const allExecutions = (system: WorkflowSystem): Promise<ExecutionRecord[]> =>
  system.platform.store.executions.list({});

export const hasBegun = ({ log }: ExecutionRecord): boolean => log.some(({ status }) => status === 'running');

/** Waits until this many executions exist. */
export const untilThere = (system: WorkflowSystem, count: number) =>
  eventually(
    async () => (await system.platform.store.executions.count()) >= count,
    () => `${count} executions`,
  );

/** Waits until all have ended and none is due. */
export const untilAllEnded = (system: WorkflowSystem) =>
  eventually(
    async () =>
      (await system.platform.store.executions.count(
        anyFilter<ExecutionRecord>([{ status: noneOf(TERMINAL_STATUSES) }, { due: isThere }]),
      )) === 0,
    () => 'the end of all executions',
  );

/** Checks that executions were canceled once, by the user "bob". */
export function expectCanceled(records: readonly ExecutionRecord[]): void {
  for (const record of records) {
    expect([record.status, record.context['cancelled_by']]).toEqual(['canceled', 'bob']);
    expect(record.log.filter(({ status }) => status === 'canceled')).toHaveLength(1);
    expect(record.end_timestamp).toBe(record.log.at(-1)?.timestamp);
    expect(record.slot ?? record.due ?? record.waits_on).toBeUndefined();
  }
}
