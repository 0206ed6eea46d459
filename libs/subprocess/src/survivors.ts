import { setTimeout as delay } from 'node:timers/promises';
import { slices } from '@switchyard/base';
import { allPids, hasEnvironmentEntry, isDead, readProcEntry, type ProcEntry } from './proc-entry';

/** An environment variable that identifies descendants that left the process group and the session. */
export interface EnvironmentMarker {
  readonly name: string;
  readonly value: string;
}

/** The processes that belong to a run: its group, its session, and those with its marker. */
export interface Descendants {
  /** Process id of the main process, which is also its group id and session id, because it has its own session. */
  readonly leader?: number;
  readonly marker?: EnvironmentMarker;
  /** Start time of the main process. Older processes cannot be descendants. */
  readonly since?: string;
}

export interface Survivor {
  readonly pid: number;
  readonly group: number;
}

/** All searches share it: dozens of runs may end in the same turn, and each examines every process of the machine. */
const slice = slices();
/** How long to search while processes are undecided or start new ones, and the pause between two rounds. */
const SETTLE_MS = 250;
const PAUSE_MS = 1;

/**
 * The living descendants, without zombies and without this process.
 *
 * It also finds processes that start another process and exit, or execute another program, during the search: it continues until all
 * processes are decided, within a limit.
 * @param onFound is called with each one as soon as it is found
 */
export async function survivors(of: Descendants, onFound?: (found: Survivor) => void): Promise<Survivor[]> {
  if (process.platform !== 'linux') return groupAsSurvivor(of.leader, onFound);
  const found: Survivor[] = [];
  const decided = new Set([process.pid]);
  const end = performance.now() + SETTLE_MS;
  for (let round = 1; ; round++) {
    const unknown = allPids().filter((pid) => !decided.has(pid));
    const undecided = await look(unknown, of, (survivor) => {
      found.push(survivor);
      onFound?.(survivor);
    });
    // The first round may take longer than that on a busy machine.
    if (unknown.length === 0 || (round > 1 && performance.now() >= end)) return found;
    for (const pid of unknown) if (!undecided.has(pid)) decided.add(pid);
    if (undecided.size > 0) await delay(PAUSE_MS);
  }
}

/** @returns the processes that are undecided */
async function look(
  pids: readonly number[],
  of: Descendants,
  onFound: (found: Survivor) => void,
): Promise<ReadonlySet<number>> {
  const undecided = new Set<number>();
  for (const pid of pids) {
    if (slice.isOver()) await slice.next();
    const entry = readProcEntry(pid);
    const answer = entry !== undefined && belongs(entry, of);
    if (answer === undefined) undecided.add(pid);
    else if (answer) onFound({ pid, group: entry.group });
  }
  return undecided;
}

function belongs(entry: ProcEntry, of: Descendants): boolean | undefined {
  if (isDead(entry) || isOlder(entry, of.since)) return false;
  if (of.leader !== undefined && (entry.group === of.leader || entry.session === of.leader)) return true;
  return of.marker !== undefined && hasEnvironmentEntry(entry, `${of.marker.name}=${of.marker.value}`);
}

const isOlder = (entry: ProcEntry, since: string | undefined): boolean =>
  since !== undefined && since !== '' && Number(entry.startTime) < Number(since);

/** Without /proc it is only known whether the group has a living process. */
function groupAsSurvivor(leader: number | undefined, onFound?: (found: Survivor) => void): Survivor[] {
  if (leader === undefined) return [];
  try {
    process.kill(-leader, 0);
  } catch {
    return [];
  }
  onFound?.({ pid: leader, group: leader });
  return [{ pid: leader, group: leader }];
}
