import { setImmediate } from 'node:timers/promises';
import type { EnvironmentMarker } from './process-options';
import { allPids, hasEnvironmentEntry, isDead, readProcEntry, type ProcEntry } from './proc-entry';

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

/** The descendants that live. Zombies do not count. This process is never among them. */
export async function survivors(of: Descendants): Promise<Survivor[]> {
  if (process.platform !== 'linux') return groupAsSurvivor(of.leader);
  const found: Survivor[] = [];
  let looked = 0;
  for (const pid of allPids()) {
    if (++looked % SLICE === 0) await setImmediate();
    const entry = pid === process.pid ? undefined : readProcEntry(pid);
    if (entry !== undefined && belongs(entry, of)) found.push({ pid, group: entry.group });
  }
  return found;
}

function belongs(entry: ProcEntry, of: Descendants): boolean {
  if (isDead(entry) || isOlder(entry, of.since)) return false;
  if (of.leader !== undefined && (entry.group === of.leader || entry.session === of.leader)) return true;
  return of.marker !== undefined && hasEnvironmentEntry(entry.pid, `${of.marker.name}=${of.marker.value}`);
}

const isOlder = (entry: ProcEntry, since: string | undefined): boolean =>
  since !== undefined && since !== '' && Number(entry.startTime) < Number(since);

/** Without /proc all that can be known is whether anybody is left in the group. */
function groupAsSurvivor(leader: number | undefined): Survivor[] {
  if (leader === undefined) return [];
  try {
    process.kill(-leader, 0);
    return [{ pid: leader, group: leader }];
  } catch {
    return [];
  }
}
