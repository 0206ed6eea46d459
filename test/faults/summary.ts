import { percentiles } from '../bench/measure';
import type { RoundReport } from './embedded-round';

/** One line per kind of fault: how often it happened, and how long until everything had ended. */
export function summary(reports: readonly RoundReport[]): string[] {
  const kinds = new Map<string, number[]>();
  for (const { fault, tookMs } of reports) kinds.set(fault, [...(kinds.get(fault) ?? []), tookMs]);
  return [...kinds]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([fault, times]) => {
      const [p50, worst] = [percentiles(times).p50, Math.max(...times)];
      return `${fault.padEnd(28)} ${String(times.length).padStart(4)} rounds; all ended after p50 ${p50.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`;
    });
}
