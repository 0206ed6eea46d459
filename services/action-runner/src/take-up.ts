import { hostname } from 'node:os';
import { deferred, messageOf, SECOND_MS, type Clock, type Deferred, type Id } from '@switchyard/base';
import type { Executions, ExecutionRecords, LocalRunner } from '@switchyard/executions';
import type { Delivery, ExecutionStatusMessage } from '@switchyard/messaging';
import type { Claim, ExecutionRecord } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import { createUnsureClaims } from './recovery';
import { startActionRun, type ActionRun, type RunDeps } from './run-execution';

export interface TakeUpDeps extends RunDeps {
  logger: Logger;
  slots: Slots;
  table: RunTable;
  /** Id of this process. */
  instance: string;
  /** The pools whose executions it runs. */
  pools: readonly string[];
  /** Called for each claimed execution, with the time at which claiming began. */
  onTaken(startMs: number): void;
}

/** Claims the executions that the scheduler releases, one slot for each. */
interface TakeUp extends LocalRunner {
  onScheduled(message: Pick<ExecutionStatusMessage, 'id' | 'revision'>, delivery: Pick<Delivery, 'ack'>): Promise<void>;
  stop(): Promise<void>;
}

/** How long a delivery may wait for a slot before another runner gets its chance. */
const SLOT_WAIT_MS = SECOND_MS;

export function createTakeUp(deps: TakeUpDeps): TakeUp {
  const { executions, clock, logger, slots, table, instance } = deps;
  /** Executions that wait for a slot here, or are being claimed. */
  const waiting = new Set<Id>();

  const unsure = createUnsureClaims({
    records: executions.records,
    clock,
    instance,
    isRunning: (id) => table.runs.has(id),
    isBeingTaken: (id) => waiting.has(id),
    async adopt(execution) {
      if (!(await slots.take(SLOT_WAIT_MS))) throw new Error('There is no free slot.');
      table.track(startActionRun(deps, execution));
    },
    onError: (error) => logger.warn('Unable to tell whether a claim succeeded.', { error: messageOf(error) }),
  });

  async function takeUp(id: Id, revision: number, delivery: Pick<Delivery, 'ack'>): Promise<void> {
    if (!(await slots.take(SLOT_WAIT_MS))) return passOn(id);
    const startMs = clock.monotonicMs();
    try {
      const execution = await claimExecution({ executions, instance }, id, revision);
      delivery.ack();
      if (execution) {
        deps.onTaken(startMs);
        return table.track(startActionRun(deps, execution));
      }
    } catch (error) {
      slots.give();
      unsure.add(id);
      throw error;
    }
    slots.give();
  }

  /**
   * Publishes a new message instead of returning the delivery, because the broker discards messages that are returned
   * too often.
   */
  async function passOn(id: Id): Promise<void> {
    const record = await executions.records.get(id);
    if (record?.status === 'scheduled') executions.announce.remind(record);
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
    /** For an execution that is stored as claimed by this process. */
    reserve(pool) {
      if (!deps.pools.includes(pool) || !slots.takeNow()) return undefined;
      const startMs = clock.monotonicMs();
      return {
        claim: claimOf(instance),
        start(execution) {
          deps.onTaken(startMs);
          table.track(startActionRun(deps, execution));
        },
        release: () => slots.give(),
        findOut(id) {
          slots.give();
          unsure.add(id);
        },
      };
    },
    stop: () => unsure.stop(),
  };
}

const claimOf = (instance: string) => ({ instance, host: hostname(), pid: process.pid });

interface ClaimDeps {
  executions: Pick<Executions, 'records' | 'transition'>;
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
): Promise<(ExecutionRecord & { claim: Claim }) | undefined> {
  const taken = await claimAt(deps, id, revision);
  if (taken) return taken;
  const record = await deps.executions.records.get(id);
  if (record?.status !== 'scheduled' || record.revision === revision) return undefined;
  return claimAt(deps, id, record.revision);
}

async function claimAt({ executions, instance }: ClaimDeps, id: string, revision: number) {
  const claim: Claim = { number: revision, ...claimOf(instance) };
  const taken = await executions.transition({ _id: id }, 'running', {
    from: ['scheduled'],
    revision,
    set: { claim, runner_info: { hostname: claim.host, pid: claim.pid } },
  });
  return taken && { ...taken, claim };
}

interface RunTableDeps {
  records: Pick<ExecutionRecords, 'get'>;
  clock: Pick<Clock, 'after'>;
  /** Each run releases its slot when it ends. */
  slots: Pick<Slots, 'give'>;
  /** Id of this process. */
  instance: string;
}

/** The runs of this process. */
export interface RunTable {
  readonly runs: ReadonlyMap<Id, ActionRun>;
  track(run: ActionRun): void;
  /** Stops the work on executions that others have decided about. */
  dropLost(): Promise<void>;
  /** Waits until every run has ended, up to the given time. */
  wait(mostMs: number): Promise<void>;
  /** Stops all work and abandons its executions. */
  abandon(mostMs: number): Promise<void>;
}

export function createRunTable({ records, clock, slots, instance }: RunTableDeps): RunTable {
  const runs = new Map<Id, ActionRun>();

  async function wait(mostMs: number): Promise<void> {
    const all = Promise.all([...runs.values()].map(({ finished }) => finished));
    const late = deferred();
    const stopTimer = clock.after(mostMs, () => late.resolve());
    await Promise.race([all, late.promise]);
    stopTimer();
  }

  return {
    runs,
    track(run) {
      const { _id } = run.execution;
      // The process that took it from us has given up. Any work left here no longer belongs to the execution.
      runs.get(_id)?.stop('abandoned');
      runs.set(_id, run);
      void run.finished.then(() => {
        if (runs.get(_id) === run) runs.delete(_id);
        slots.give();
      });
    },
    async dropLost() {
      for (const run of [...runs.values()]) {
        const { _id, claim } = run.execution;
        const now = (await records.get(_id))?.claim;
        if (now?.instance !== instance || now.number !== claim.number) run.stop('abandoned');
      }
    },
    wait,
    async abandon(mostMs) {
      for (const run of runs.values()) run.stop('abandoned');
      await wait(mostMs);
    },
  };
}

/** Limits how many executions this process runs at a time. */
export interface Slots {
  /** @returns whether there was a free slot for which nobody waits */
  takeNow(): boolean;
  /** Waits for a free slot up to the given time. @returns false when none became free */
  take(waitMs: number): Promise<boolean>;
  give(): void;
  /** Hands out no more slots; everybody who waits for one gets none. */
  close(): void;
  readonly used: number;
}

/** @param onUse called with the change in slots in use, one at a time */
export function createSlots(
  total: number,
  after: (delayMs: number, callback: () => void) => () => void,
  onUse: (more: 1 | -1) => void = () => undefined,
): Slots {
  let used = 0;
  let closed = false;
  const waiting = new Set<Deferred<boolean>>();
  const settle = (turn: Deferred<boolean>, got: boolean) => {
    waiting.delete(turn);
    turn.resolve(got);
  };
  const use = (more: 1 | -1) => {
    used += more;
    onUse(more);
  };
  return {
    get used() {
      return used;
    },
    takeNow() {
      if (closed || used >= total) return false;
      use(1);
      return true;
    },
    take(waitMs) {
      if (closed) return Promise.resolve(false);
      if (used < total) {
        use(1);
        return Promise.resolve(true);
      }
      const turn = deferred<boolean>();
      waiting.add(turn);
      const stop = after(waitMs, () => settle(turn, false));
      void turn.promise.then(stop);
      return turn.promise;
    },
    give() {
      // The slot passes directly to the longest waiter.
      const [next] = waiting;
      if (next) settle(next, true);
      else use(-1);
    },
    close() {
      closed = true;
      for (const turn of [...waiting]) settle(turn, false);
    },
  };
}
