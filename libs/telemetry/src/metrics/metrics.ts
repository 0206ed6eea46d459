/**
 * Values for the `{placeholders}` of a metric's name: `action.{ref}.executions` with `{ ref: 'core.local' }`. A driver
 * of flat names fills them in, one with labels keeps name and labels apart.
 */
export type MetricLabels = Readonly<Record<string, string>>;

/** Measurements. Calls never throw and never wait. Names are those of the reference, without prefix. */
export interface Metrics {
  /** Counts events. @param by 1 unless told */
  counter(name: string, by?: number, labels?: MetricLabels): void;
  /** Records how long something took, in milliseconds. */
  timer(name: string, durationMs: number, labels?: MetricLabels): void;
  /** Sets a level, such as the number of open connections. */
  gauge(name: string, value: number, labels?: MetricLabels): void;
}

/** `action.{ref}.executions` with its labels filled in. */
export const metricName = (name: string, labels: MetricLabels = {}): string =>
  name.replace(/\{(\w+)\}/g, (placeholder, label: string) => labels[label] ?? placeholder);
