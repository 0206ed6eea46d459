import { hostname } from 'node:os';
import { deferred, type Clock, type Deferred, type Id } from '@switchyard/base';
import type { ExecutionRecords, LocalRunner } from '@switchyard/executions';
import type { InstanceLease } from '@switchyard/host';
import type { Claim } from '@switchyard/model';
import type { ActionRun, ClaimedExecution } from './run-execution';

interface RunTableDeps {
  records: Pick<ExecutionRecords, 'get'>;
  clock: Pick<Clock, 'after'>;
  /** Each run releases its slot when it ends. */
  slots: Pick<Slots, 'give'>;
  startRun(execution: ClaimedExecution): ActionRun;
}

/** The runs of this process. */
export interface RunTable {
  readonly runs: ReadonlyMap<Id, ActionRun>;
  /** Starts the work on an execution, for which a slot was taken. */
  start(execution: ClaimedExecution): void;
  /** Stops the work on executions that others have decided about. */
  dropLost(): Promise<void>;
  /** Waits until every run has ended, up to the given time. */
  wait(mostMs: number): Promise<void>;
  /** Stops all work and abandons its executions. */
  abandon(mostMs: number): Promise<void>;
}

export function createRunTable({ records, clock, slots, startRun }: RunTableDeps): RunTable {
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
    start(execution) {
      const { _id } = execution;
      const run = startRun(execution);
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
        if (!(await holdsClaim(records, run.execution))) run.stop('abandoned');
      }
    },
    wait,
    async abandon(mostMs) {
      for (const run of runs.values()) run.stop('abandoned');
      await wait(mostMs);
    },
  };
}

/** Whether an execution still has the claim with which it was taken up, and no other process has begun to recover it. */
async function holdsClaim(records: Pick<ExecutionRecords, 'get'>, { _id, claim }: ClaimedExecution): Promise<boolean> {
  const now = (await records.get(_id))?.claim;
  return now?.instance === claim.instance && now.number === claim.number && now.recoverer === undefined;
}

/** Whether a claimed execution may start. A process that was cut off from the store may have been replaced since it claimed it. */
export const createStartCheck =
  (lease: Pick<InstanceLease, 'holds' | 'renewed'>, records: Pick<ExecutionRecords, 'get'>) =>
  async (execution: ClaimedExecution): Promise<boolean> => {
    if (lease.holds()) return true;
    await lease.renewed();
    return holdsClaim(records, execution);
  };

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
  clock: Pick<Clock, 'after'>,
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
      const stop = clock.after(waitMs, () => settle(turn, false));
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

interface LocalRunnerDeps {
  clock: Pick<Clock, 'monotonicMs'>;
  slots: Pick<Slots, 'takeNow' | 'give'>;
  table: Pick<RunTable, 'start'>;
  /** Id of this process. */
  instance: string;
  /** The pools whose executions it runs. */
  pools: readonly string[];
  /** Called for each execution that was stored, with the time at which its slot was taken. */
  onTaken(startMs: number): void;
  /** Called if it is unknown whether the execution was stored. */
  findOut(id: Id): void;
}

/** Keeps slots for executions that are about to be stored as claimed by this process. */
export const createLocalRunner = (deps: LocalRunnerDeps): LocalRunner => ({
  reserve(pool) {
    const { slots, instance, clock } = deps;
    if (!deps.pools.includes(pool) || !slots.takeNow()) return undefined;
    const startMs = clock.monotonicMs();
    return {
      claim: claimOf(instance),
      start(execution) {
        deps.onTaken(startMs);
        deps.table.start(execution);
      },
      release: () => slots.give(),
      findOut(id) {
        slots.give();
        deps.findOut(id);
      },
    };
  },
});

const HOST = hostname();

/** The claim of this process, without its number. */
export const claimOf = (instance: string): Omit<Claim, 'number'> => ({ instance, host: HOST, pid: process.pid });
