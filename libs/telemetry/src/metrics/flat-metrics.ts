import type { Logger } from '../logger';
import { flatName, rowOf, type MetricName } from './metric-table';
import type { Labels, MetricsSink } from './metrics';

/** A receiver of measurements with names but without labels. */
export interface FlatReceiver {
  counter(name: string): void;
  timer(name: string, durationMs: number): void;
  gauge(name: string, value: number): void;
  gaugeDelta(name: string, by: number): void;
}

/** Sends each measurement under its flat name, except those that only exist with labels. */
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

/** Logs every measurement at level debug. */
export function echoReceiver(logger: Pick<Logger, 'debug'>, prefix: string): FlatReceiver {
  const log = (type: string, name: string, fields: Record<string, number>) =>
    logger.debug('Metric', { type, name: prefix + name, ...fields });
  return {
    counter: (name) => log('counter', name, { by: 1 }),
    timer: (name, durationMs) => log('timer', name, { durationMs }),
    gauge: (name, value) => log('gauge', name, { value }),
    gaugeDelta: (name, by) => log('gauge', name, { by }),
  };
}
