import { messageOf, SECOND_MS, type Clock, type Id } from '@switchyard/base';
import type { ExecutionRecords, Executions } from '@switchyard/executions';
import { createTask, type Task } from '@switchyard/host';
import type { Delivery, ExecutionStatusMessage } from '@switchyard/messaging';
import type { Claim, ExecutionRecord } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import type { ClaimedExecution } from './run-execution';
import { claimOf, type RunTable, type Slots } from './run-table';

export interface TakeUpDeps {
  executions: Executions;
  clock: Clock;
  logger: Logger;
  slots: Slots;
  table: RunTable;
  /** Id of this process. */
  instance: string;
  /** Called for each claimed execution, with the time at which claiming began. */
  onTaken(startMs: number): void;
}

/** Claims the executions that the scheduler releases, one slot for each. */
interface TakeUp {
  onScheduled(message: Pick<ExecutionStatusMessage, 'id' | 'revision'>, delivery: Pick<Delivery, 'ack'>): Promise<void>;
  /** Starts the work on an execution if it turns out to be stored with a claim of this process. */
  findOut(id: Id): void;
  stop(): Promise<void>;
}

/** How long a delivery may wait for a slot before another runner may take it. */
const SLOT_WAIT_MS = SECOND_MS;

export function createTakeUp(deps: TakeUpDeps): TakeUp {
  const { executions, clock, slots, table, instance } = deps;
  /** Executions that wait for a slot here, or are being claimed. */
  const waiting = new Set<Id>();
  const unsure = unsureClaimsOf(deps, (id) => waiting.has(id));

  async function takeUp(id: Id, revision: number, delivery: Pick<Delivery, 'ack'>): Promise<void> {
    if (!(await slots.take(SLOT_WAIT_MS))) return passOn(executions, id);
    const startMs = clock.monotonicMs();
    try {
      const execution = await claimExecution({ executions, clock, instance }, id, revision);
      delivery.ack();
      if (execution) {
        deps.onTaken(startMs);
        return table.start(execution);
      }
    } catch (error) {
      slots.give();
      unsure.add(id);
      throw error;
    }
    slots.give();
  }

  return {
    async onScheduled({ id, revision }, delivery) {
      if (waiting.has(id)) return;
      waiting.add(id);
      try {
        await takeUp(id, revision, delivery);
      } finally {
        waiting.delete(id);
      }
    },
    findOut: (id) => unsure.add(id),
    stop: () => unsure.stop(),
  };
}

/**
 * Publishes a new message instead of returning the delivery, because the broker discards messages that are returned
 * too often.
 */
async function passOn({ records, announce }: Pick<Executions, 'records' | 'announce'>, id: Id): Promise<void> {
  const record = await records.get(id);
  if (record?.status === 'scheduled') announce.remind(record);
}

interface ClaimDeps {
  executions: Pick<Executions, 'records' | 'transition'>;
  clock: Pick<Clock, 'turnMicros'>;
  /** Id of this process. */
  instance: string;
}

/**
 * Claims a scheduled execution for this process. The claim's number is the revision at which it was taken, so it grows
 * with every claim of the same execution.
 * @param revision as in the message; when the record has changed since, it is read once more
 * @returns undefined when the execution can no longer be claimed
 */
export async function claimExecution(
  deps: ClaimDeps,
  id: string,
  revision: number,
): Promise<ClaimedExecution | undefined> {
  const taken = await claimAt(deps, id, revision);
  if (taken) return taken;
  const record = await deps.executions.records.get(id);
  if (record?.status !== 'scheduled' || record.revision === revision) return undefined;
  return claimAt(deps, id, record.revision);
}

async function claimAt({ executions, clock, instance }: ClaimDeps, id: string, revision: number) {
  const claim: Claim = { number: revision, ...claimOf(instance) };
  const taken = await executions.transition({ _id: id }, 'running', {
    from: ['scheduled'],
    revision,
    at: clock.turnMicros(instance),
    set: { claim, runner_info: { hostname: claim.host, pid: claim.pid } },
  });
  return taken && { ...taken, claim };
}

/** Those of this process start to run here if they turn out to be stored. @param isBeingTaken see `UnsureClaimsDeps` */
function unsureClaimsOf(deps: TakeUpDeps, isBeingTaken: (id: Id) => boolean): UnsureClaims {
  const { executions, clock, logger, slots, table, instance } = deps;
  return createUnsureClaims({
    records: executions.records,
    clock,
    instance,
    isRunning: (id) => table.runs.has(id),
    isBeingTaken,
    async adopt(execution) {
      if (!(await slots.take(SLOT_WAIT_MS))) throw new Error('There is no free slot.');
      table.start(execution);
    },
    onError: (error) => logger.warn('Unable to tell whether a claim succeeded.', { error: messageOf(error) }),
  });
}

interface UnsureClaimsDeps {
  records: Pick<ExecutionRecords, 'get'>;
  clock: Clock;
  /** Id of this process. */
  instance: string;
  /** Starts the work on an execution that turns out to be ours. */
  adopt(execution: ClaimedExecution): Promise<void>;
  isRunning(id: Id): boolean;
  /** True while another claim of the same execution is in progress here. */
  isBeingTaken(id: Id): boolean;
  onError(error: unknown): void;
}

/**
 * Claims whose outcome is unknown because the store failed. If one was stored, no other process works on the execution.
 */
interface UnsureClaims {
  add(id: Id): void;
  stop(): Promise<void>;
}

const LOOK_MS = 500;

export function createUnsureClaims(deps: UnsureClaimsDeps): UnsureClaims {
  const { records, clock, instance } = deps;
  const ids = new Set<Id>();
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
