import type { Id } from '@switchyard/base';
import type { ExecutionRecord, Limit } from '@switchyard/model';
import type { Gate } from './policies/gate';
import { releaseOne, type ReleaseOneDeps } from './release-one';

export interface HandedOut {
  /** Those that are on their way to runners. */
  released: ReadonlySet<Id>;
  /** How many have left the backlog or the waiting, those that were released included. */
  settled: number;
}

interface Outcome {
  released?: Id;
  settled: boolean;
}

/**
 * Releases the first of some executions, as many as are wanted. Those that no policy limits go together; the others one
 * after the other, in order, and those for which there is no room leave the backlog.
 */
export async function handOut(
  deps: ReleaseOneDeps,
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
      moves.push(releaseOne(deps, record).then((moved) => released(record, moved)));
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
  if ('refusedBy' in entry) return { settled: await gate.turnAway(record, entry.refusedBy) };
  const moved = await releaseOne(deps, record);
  if (!moved) await gate.leave(record, entry.taken);
  return released(record, moved);
}

const released = ({ _id }: ExecutionRecord, moved: boolean): Outcome => ({
  ...(moved ? { released: _id } : {}),
  settled: moved,
});
