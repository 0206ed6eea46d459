import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TargetProcess } from './target';

/** The environment variable that tells a process where to record its turns. */
export const TURNS_DIRECTORY = 'SVC_HOSTILE_TURNS';
/** Shorter turns are not recorded. */
export const RECORDED_FROM_MS = 5;

/** The long turns of the event loops of some processes. */
export interface Turns {
  readonly environment: Record<string, string>;
  /** The longest turn that ended since then, in milliseconds of processor time; 0 if no turn was recorded. */
  longest(processes: readonly TargetProcess[], since: Date): LongestTurn;
  remove(): void;
}

export interface LongestTurn {
  readonly ms: number;
  /** The process. */
  readonly name: string;
}

export function recordTurns(): Turns {
  const directory = mkdtempSync(join(tmpdir(), 'svc-turns-'));
  return {
    environment: { [TURNS_DIRECTORY]: directory },
    longest: (processes, since) =>
      processes
        .map(({ name, pid }) => ({ name, ms: longestIn(linesOf(join(directory, String(pid))), since.getTime()) }))
        .reduce((longest, each) => (each.ms > longest.ms ? each : longest), { name: '', ms: 0 }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** @param lines the time at the end of a turn and its processor time, in milliseconds */
const longestIn = (lines: readonly string[], sinceMs: number): number =>
  lines
    .map((line) => line.split(' ').map(Number))
    .reduce((longest, [endMs = 0, ms = 0]) => (endMs >= sinceMs ? Math.max(longest, ms) : longest), 0);

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    // The process has not recorded anything.
    return [];
  }
}
