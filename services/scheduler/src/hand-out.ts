import type { ExecutionRecord, Limit } from '@switchyard/model';
import type { Gate } from './policies/gate';
import { releaseOne, type ReleaseOneDeps } from './release-one';

export interface HandedOut {
  /** How many are on their way to runners. */
  released: number;
  /** How many have left the backlog or the waiting, those that were released included. */
  settled: number;
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
  const moves: Promise<HandedOut>[] = [];
  for (const record of records) {
    const limits = await gate.limitsOf(record);
    const full = gate.knownFull(record, limits);
    if (full) moves.push(gate.turnAway(record, full).then((turned) => outcome(0, turned)));
    else if (left === 0) continue;
    else if (limits.length === 0) {
      left -= 1;
      moves.push(releaseOne(deps, record).then((moved) => outcome(moved, moved)));
    } else {
      const passed = await pass(deps, gate, record, limits);
      left -= passed.released;
      moves.push(Promise.resolve(passed));
    }
  }
  const all = await Promise.all(moves);
  await gate.lookAgain();
  return { released: sum(all, 'released'), settled: sum(all, 'settled') };
}

async function pass(
  deps: ReleaseOneDeps,
  gate: Gate,
  record: ExecutionRecord,
  limits: readonly Limit[],
): Promise<HandedOut> {
  const entry = await gate.enter(record, limits);
  if ('refusedBy' in entry) return outcome(0, await gate.turnAway(record, entry.refusedBy));
  const moved = await releaseOne(deps, record);
  if (!moved) await gate.leave(record, entry.taken);
  return outcome(moved, moved);
}

const outcome = (released: boolean | 0, settled: boolean): HandedOut => ({
  released: Number(released),
  settled: Number(settled),
});

const sum = (all: readonly HandedOut[], member: keyof HandedOut): number =>
  all.reduce((total, each) => total + each[member], 0);
