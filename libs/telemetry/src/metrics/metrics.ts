import type { LabelArguments, NameOf } from './metric-table';

/** Measurements, by the names of the metric table. Calls never throw and never wait. */
export interface Metrics {
  /** Counts an event. */
  count<Name extends NameOf<'counter'>>(name: Name, ...labels: LabelArguments<Name>): void;
  /** Records how long something took, in milliseconds; a counted timer counts it as well. */
  time<Name extends NameOf<'timer' | 'counted timer'>>(
    name: Name,
    durationMs: number,
    ...labels: LabelArguments<Name>
  ): void;
  /** Sets a level that is one for the whole system. */
  level<Name extends NameOf<'gauge'>>(name: Name, value: number, ...labels: LabelArguments<Name>): void;
  /** Moves a level to which every process adds its part. */
  shift<Name extends NameOf<'gauge'>>(name: Name, by: number, ...labels: LabelArguments<Name>): void;
}

/** For whoever has nowhere to put them. */
export const noMetrics: Metrics = {
  count: () => undefined,
  time: () => undefined,
  level: () => undefined,
  shift: () => undefined,
};
