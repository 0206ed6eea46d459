import type { Clock, Id } from '@switchyard/base';
import { releasedTo, type Executions, type WaitingExecution } from '@switchyard/executions';
import type { ExecutionRecord, Limit } from '@switchyard/model';
import type { Metrics } from '@switchyard/telemetry';
import type { ReleaseAttempts } from './release-attempts';
import type { Gate } from './policies/gate';

interface HandedOut {
  /** The executions that were released. */
  released: ReadonlySet<Id>;
  /** The number of executions that have left the backlog or the waiting groups, including released ones. */
  settled: number;
}

interface Outcome {
  released?: Id;
  settled: boolean;
}

/**
 * Releases the first executions of a list, as many as are wanted. Those without a limiting policy go together. The
 * others go one after the other, in order, and those without room leave the backlog.
 */
export async function releaseWaiting(
  deps: ReleaseOneDeps & { release: typeof releaseToSlot; attempts: Pick<ReleaseAttempts, 'inLook'> },
  gate: Gate,
  records: readonly ExecutionRecord[],
  wanted: number,
): Promise<HandedOut> {
  let left = wanted;
  const moves: Promise<Outcome>[] = [];
  for (const record of records) {
    const limits = await gate.limitsOf(record);
    const full = gate.knownFull(record, limits);
    if (full) moves.push(gate.turnAway(record, full).then((turned) => ({ settled: turned })));
    else if (left === 0) continue;
    else if (limits.length === 0) {
      left -= 1;
      deps.attempts.inLook(record);
      moves.push(deps.release(deps, record).then((moved) => released(record, moved)));
    } else {
      const passed = await pass(deps, gate, record, limits);
      if (passed.released) left -= 1;
      moves.push(Promise.resolve(passed));
    }
  }
  const all = await Promise.all(moves);
  await gate.lookAgain();
  return {
    released: new Set(all.flatMap(({ released: id }) => id ?? [])),
    settled: all.filter(({ settled }) => settled).length,
  };
}

async function pass(
  deps: ReleaseOneDeps,
  gate: Gate,
  record: ExecutionRecord,
  limits: readonly Limit[],
): Promise<Outcome> {
  const entry = await gate.enter(record, limits);
  const moved = !entry.refusedBy && (await releaseOne(deps, record));
  const turnedAway = entry.refusedBy !== undefined && (await gate.turnAway(record, entry.refusedBy));
  if (!moved) await gate.leave(record, entry);
  return moved ? released(record, true) : { settled: turnedAway };
}

const released = ({ _id }: ExecutionRecord, moved: boolean): Outcome => ({
  ...(moved ? { released: _id } : {}),
  settled: moved,
});

interface ReleaseOneDeps {
  executions: Pick<Executions, 'transition' | 'releaseEagerly'>;
  clock: Clock;
  metrics: Pick<Metrics, 'time'>;
  /** Id of this scheduler. */
  scheduler: string;
}

/**
 * Releases an execution for which a slot is free. If the slot is in this process, it starts with the same write.
 * @param record as it was read or announced
 * @returns false when another process has moved it
 */
export async function releaseToSlot(deps: ReleaseOneDeps, record: WaitingExecution): Promise<boolean> {
  const { executions, clock, metrics } = deps;
  const startMs = clock.monotonicMs();
  if (!(await executions.releaseEagerly(record))) return releaseOne(deps, record);
  metrics.time('scheduler.handle_execution', clock.monotonicMs() - startMs);
  return true;
}

/**
 * @param record one from the backlog is a whole record, and is moved only if it has not changed since
 * @returns false when another process has moved it
 */
export async function releaseOne(
  { executions, clock, metrics, scheduler }: ReleaseOneDeps,
  record: WaitingExecution | ExecutionRecord,
): Promise<boolean> {
  const startMs = clock.monotonicMs();
  const moved = await executions.transition(record, 'scheduled', {
    from: ['requested', 'delayed'],
    due: [releasedTo(record)],
    at: clock.turnMicros(scheduler),
    ...('log' in record && { known: record, revision: record.revision }),
  });
  if (moved) metrics.time('scheduler.handle_execution', clock.monotonicMs() - startMs);
  return moved !== undefined;
}
