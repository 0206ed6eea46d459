import { deferred, type Clock, type Deferred, type Id } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import type { ActionRun } from './run-execution';

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
