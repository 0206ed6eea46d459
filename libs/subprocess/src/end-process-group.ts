import { endDescendants, type Elevation } from './end-descendants';
import { readProcEntry, bootId } from './proc-entry';
import { survivors, type Descendants, type EnvironmentMarker } from './survivors';

/** A process group, as recorded when it was started (see `processIdentity`). The id of a group is the pid of its leader. */
export interface RecordedGroup {
  readonly pgid: number;
  readonly startTime: string;
  readonly bootId: string;
}

/**
 * The outcome for a recorded group: `ended` (by this call), `gone` (before), `other` (its id now belongs to unrelated
 * processes, which were left alone), `unverifiable` (no /proc, or nothing was recorded), `survived` (even SIGKILL
 * failed).
 */
export type GroupOutcome = 'ended' | 'gone' | 'other' | 'unverifiable' | 'survived';

export interface EndGroupOptions {
  readonly graceMs?: number;
  /** Also ends processes with this marker that left the group, and identifies a group whose leader is dead. */
  readonly marker?: EnvironmentMarker;
  readonly elevation?: Elevation;
}

/** Ends the processes that a crashed process left running, if they are certainly the recorded group. */
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

/** Whether living processes use the id as a process id or group id. */
const isTaken = async (pgid: number): Promise<boolean> => (await survivors({ leader: pgid })).length > 0;

/** Ends all processes that were started with this variable in their environment. @returns their ids */
export async function killMarked(
  marker: EnvironmentMarker,
  options: { readonly graceMs?: number; readonly elevation?: Elevation } = {},
): Promise<number[]> {
  const found = await survivors({ marker });
  if (found.length > 0) await endDescendants({ marker }, { graceMs: 0, ...options });
  return found.map(({ pid }) => pid);
}
