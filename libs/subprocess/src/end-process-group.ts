import type { Elevation, EnvironmentMarker } from './process-options';
import { endDescendants } from './end-descendants';
import { readProcEntry } from './proc-entry';
import { bootId } from './process-identity';
import { survivors, type Descendants } from './survivors';

/** A group as it was written down when it was started (see `processIdentity`; the group's id is its leader's pid). */
export interface RecordedGroup {
  readonly pgid: number;
  readonly startTime: string;
  readonly bootId: string;
}

/**
 * What became of a recorded group: `ended` now, `gone` before, `other` (its id now belongs to processes that we did
 * not start, which were left alone), `unverifiable` (no /proc or nothing recorded), `survived` (even SIGKILL failed).
 */
export type GroupOutcome = 'ended' | 'gone' | 'other' | 'unverifiable' | 'survived';

export interface EndGroupOptions {
  readonly graceMs?: number;
  /** Also ends processes that left the group but carry this, and vouches for a group whose leader is dead. */
  readonly marker?: EnvironmentMarker;
  readonly elevation?: Elevation;
}

/** Ends what a crashed process left running, if it is certain that it is the same group. */
export async function endProcessGroup(recorded: RecordedGroup, options: EndGroupOptions = {}): Promise<GroupOutcome> {
  if (recorded.startTime === '' || recorded.bootId === '' || bootId() === '') return 'unverifiable';
  if (recorded.bootId !== bootId()) return 'gone';
  const leader = readProcEntry(recorded.pgid);
  const isSame = leader?.startTime === recorded.startTime;
  const target: Descendants = {
    since: recorded.startTime,
    ...(isSame && { leader: recorded.pgid }),
    ...(options.marker && { marker: options.marker }),
  };
  if ((await survivors(target)).length === 0) return (await isTaken(recorded.pgid)) ? 'other' : 'gone';
  return (await endDescendants(target, options)).length === 0 ? 'ended' : 'survived';
}

/** Whether living processes use the id, as their own or as their group's. */
const isTaken = async (pgid: number): Promise<boolean> => (await survivors({ leader: pgid })).length > 0;

/** Ends every process that was started with this variable in its environment, wherever it went. @returns their ids */
export async function killMarked(
  marker: EnvironmentMarker,
  options: { readonly graceMs?: number; readonly elevation?: Elevation } = {},
): Promise<number[]> {
  const found = await survivors({ marker });
  if (found.length > 0) await endDescendants({ marker }, { graceMs: 0, ...options });
  return found.map(({ pid }) => pid);
}
