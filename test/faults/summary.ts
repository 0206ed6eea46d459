import { percentiles } from '../bench/measure';
import type { RecordedRound } from './round-record';

/** One line per kind of fault: how often it happened, and how long until everything had ended; and one for all of them. */
export function summary(rounds: readonly RecordedRound[]): string[] {
  const kinds = new Map<string, RecordedRound[]>();
  for (const round of rounds) kinds.set(round.happened, [...(kinds.get(round.happened) ?? []), round]);
  const sorted = [...kinds].sort(([a], [b]) => a.localeCompare(b));
  return [...sorted, ['all faults', rounds] as const].map(([fault, found]) => line(fault, found));
}

function line(fault: string, rounds: readonly RecordedRound[]): string {
  const times = rounds.map(({ tookMs }) => tookMs);
  const { p50, p99 } = percentiles(times);
  const failed = rounds.filter(({ problems }) => problems.length > 0).length;
  const [median, high, worst] = [p50, p99, Math.max(...times)].map((ms) => ms.toFixed(0));
  return `${fault.padEnd(56)} ${String(rounds.length).padStart(4)} rounds, ${failed} failed; all ended after p50 ${median} ms, p99 ${high} ms, worst ${worst} ms`;
}
