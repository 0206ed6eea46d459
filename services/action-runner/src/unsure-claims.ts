import type { Clock } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import { createTask, type Task } from '@switchyard/host';
import type { ExecutionRecord } from '@switchyard/model';
import type { ClaimedExecution } from './run-execution';

export interface UnsureClaimsDeps {
  records: Pick<ExecutionRecords, 'get'>;
  clock: Clock;
  /** Id of this process. */
  instance: string;
  /** Starts the work on an execution that turns out to be ours. */
  adopt(execution: ClaimedExecution): Promise<void>;
  isRunning(id: string): boolean;
  /** True while another claim of the same execution is in progress here. */
  isBeingTaken(id: string): boolean;
  onError(error: unknown): void;
}

/**
 * Claims whose outcome is unknown because the store failed. If one was stored, no other process works on the execution.
 */
export interface UnsureClaims {
  add(id: string): void;
  stop(): Promise<void>;
}

const LOOK_MS = 500;

export function createUnsureClaims(deps: UnsureClaimsDeps): UnsureClaims {
  const { records, clock, instance } = deps;
  const ids = new Set<string>();
  const isOurs = (record: ExecutionRecord | undefined): record is ClaimedExecution =>
    record?.status === 'running' && record.claim?.instance === instance;
  const task: Task = createTask({
    clock,
    async run() {
      for (const id of [...ids]) {
        if (deps.isBeingTaken(id)) continue;
        const record = await records.get(id);
        if (isOurs(record) && !deps.isRunning(id)) await deps.adopt(record);
        ids.delete(id);
      }
      if (ids.size > 0) task.wakeIn(LOOK_MS);
    },
    onError(error) {
      deps.onError(error);
      task.wakeIn(LOOK_MS);
    },
  });
  return {
    add(id) {
      ids.add(id);
      task.wakeIn(LOOK_MS);
    },
    stop: () => task.stop(),
  };
}
