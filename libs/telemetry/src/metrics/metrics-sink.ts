import type { MetricName } from './metric-table';

export type Labels = Readonly<Record<string, string>>;

/** Where measurements go. The names and labels fit each other: whoever calls was checked against the table. */
export interface MetricsSink {
  count(name: MetricName, labels: Labels): void;
  time(name: MetricName, durationMs: number, labels: Labels): void;
  level(name: MetricName, value: number, labels: Labels): void;
  shift(name: MetricName, by: number, labels: Labels): void;
}
