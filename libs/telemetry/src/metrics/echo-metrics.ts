import type { Logger } from '../logger';
import { metricName, type Metrics } from './metrics';

/** Logs every measurement at level debug. */
export function echoMetrics(logger: Pick<Logger, 'debug'>, prefix: string): Metrics {
  const full = (name: string, labels = {}) => `${prefix}.${metricName(name, labels)}`;
  return {
    counter: (name, by = 1, labels) => logger.debug('Metric', { type: 'counter', name: full(name, labels), by }),
    timer: (name, durationMs, labels) =>
      logger.debug('Metric', { type: 'timer', name: full(name, labels), durationMs }),
    gauge: (name, value, labels) => logger.debug('Metric', { type: 'gauge', name: full(name, labels), value }),
  };
}
