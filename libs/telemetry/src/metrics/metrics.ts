import type { LabelArguments, MetricName, NameOf } from './metric-table';

/** Records measurements, by the names in the metric table. Calls never throw and never wait. */
export interface Metrics {
  /** Counts an event. */
  count<Name extends NameOf<'counter'>>(name: Name, ...labels: LabelArguments<Name>): void;
  /** Records a duration in milliseconds. A counted timer also counts it. */
  time<Name extends NameOf<'timer' | 'counted timer'>>(
    name: Name,
    durationMs: number,
    ...labels: LabelArguments<Name>
  ): void;
  /** Sets a gauge that has one value for the whole system. */
  level<Name extends NameOf<'gauge'>>(name: Name, value: number, ...labels: LabelArguments<Name>): void;
  /** Changes a gauge that is the sum over all processes. */
  shift<Name extends NameOf<'gauge'>>(name: Name, by: number, ...labels: LabelArguments<Name>): void;
}

/** Discards all measurements. */
export const noMetrics: Metrics = {
  count: () => undefined,
  time: () => undefined,
  level: () => undefined,
  shift: () => undefined,
};

export type Labels = Readonly<Record<string, string>>;

/** A destination of measurements. Callers guarantee that the labels fit the name. */
export interface MetricsSink {
  count(name: MetricName, labels: Labels): void;
  time(name: MetricName, durationMs: number, labels: Labels): void;
  level(name: MetricName, value: number, labels: Labels): void;
  shift(name: MetricName, by: number, labels: Labels): void;
}
