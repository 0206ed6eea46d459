import { flatName, rowOf, type MetricName } from './metric-table';
import type { Labels, MetricsSink } from './metrics-sink';

/** A receiver of measurements that knows names only, no labels. */
export interface FlatReceiver {
  counter(name: string): void;
  timer(name: string, durationMs: number): void;
  gauge(name: string, value: number): void;
  gaugeDelta(name: string, by: number): void;
}

/** Gives each measurement its flat name; leaves out those that are for readers of labels. */
export function flatMetrics(receiver: FlatReceiver): MetricsSink {
  const named = (name: MetricName, labels: Labels, send: (flat: string) => void) => {
    if (!rowOf(name).labels) send(flatName(name, labels));
  };
  return {
    count: (name, labels) => named(name, labels, (flat) => receiver.counter(flat)),
    time: (name, durationMs, labels) =>
      named(name, labels, (flat) => {
        if (rowOf(name).kind === 'counted timer') receiver.counter(flat);
        receiver.timer(flat, durationMs);
      }),
    level: (name, value, labels) => named(name, labels, (flat) => receiver.gauge(flat, value)),
    shift: (name, by, labels) => named(name, labels, (flat) => receiver.gaugeDelta(flat, by)),
  };
}
