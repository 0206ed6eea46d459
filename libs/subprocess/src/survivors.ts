import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { EnvironmentMarker } from './process-options';
import { allPids, isDead, readProcEntry, type ProcEntry } from './proc-entry';
import { hasEnvironmentEntry } from './proc-environment';

/** The processes that belong to a run: its group, its session, and whoever carries its marker. */
export interface Descendants {
  /** Process id, group id and session id of the main process: the same number, as it was started in its own session. */
  readonly leader?: number;
  readonly marker?: EnvironmentMarker;
  /** Start time of the main process: older processes are not looked at, since they cannot be descendants. */
  readonly since?: string;
}

export interface Survivor {
  readonly pid: number;
  readonly group: number;
}

/** So many processes are looked at before others get a turn. */
const SLICE = 200;
/** How long is waited for an answer about everybody, who may go on starting others meanwhile; and between two looks. */
const SETTLE_MS = 250;
const PAUSE_MS = 1;

/**
 * The descendants that live. Zombies do not count. This process is never among them.
 *
 * Nobody slips through who starts another process and ends, or becomes another program, while this looks: it goes on
 * until there is no process that it has not seen and none that cannot be told yet, within a limit.
 * @param onFound gets each at once, when it may still be where it was found
 */
export async function survivors(of: Descendants, onFound?: (found: Survivor) => void): Promise<Survivor[]> {
  if (process.platform !== 'linux') return groupAsSurvivor(of.leader, onFound);
  const found: Survivor[] = [];
  const decided = new Set([process.pid]);
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const unknown = allPids().filter((pid) => !decided.has(pid));
    const undecided = await look(unknown, of, (survivor) => {
      found.push(survivor);
      onFound?.(survivor);
    });
    if (unknown.length === 0 || performance.now() >= end) return found;
    for (const pid of unknown) if (!undecided.has(pid)) decided.add(pid);
    if (undecided.size > 0) await delay(PAUSE_MS);
  }
}

/** @returns those of whom it cannot be told yet whether they belong to it */
async function look(
  pids: readonly number[],
  of: Descendants,
  onFound: (found: Survivor) => void,
): Promise<ReadonlySet<number>> {
  const undecided = new Set<number>();
  let looked = 0;
  for (const pid of pids) {
    if (++looked % SLICE === 0) await setImmediate();
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

/** Without /proc all that can be known is whether anybody is left in the group. */
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
