import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { RoundReport } from './round-report';

/** What identifies the rounds of a run. A round can be replayed by these and its number. */
export interface RunOptions {
  readonly target: string;
  readonly scenario: string;
  readonly scale: number;
  readonly seed: number;
  readonly fault: string;
}

/** A round that is over. */
export interface RecordedRound extends RunOptions, Pick<RoundReport, 'problems' | 'tookMs'> {
  readonly number: number;
  readonly happened: string;
  readonly endedAt: string;
}

/** The rounds of a file with a line for each, to which runs add theirs. */
export interface RoundRecord {
  /** Rounds of this target and scenario, of all runs. */
  readonly rounds: readonly RecordedRound[];
  /** The number of the first round that the run with these options has not had yet. */
  readonly next: number;
  add(number: number, report: RoundReport): void;
}

/** @param file undefined to keep the rounds in memory only */
export function openRecord(file: string | undefined, options: RunOptions): RoundRecord {
  const lines = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const all = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RecordedRound);
  const rounds = all.filter(({ target, scenario }) => target === options.target && scenario === options.scenario);
  const ours = rounds.filter(
    ({ seed, scale, fault }) => seed === options.seed && scale === options.scale && fault === options.fault,
  );
  return {
    rounds,
    next: 1 + Math.max(0, ...ours.map(({ number }) => number)),
    add(number, { problems, fault: happened, tookMs }) {
      const round: RecordedRound = {
        ...options,
        number,
        happened,
        problems,
        tookMs,
        endedAt: new Date().toISOString(),
      };
      rounds.push(round);
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(round)}\n`);
    },
  };
}
