import type { Config } from '@switchyard/config';
import type { Logger } from '../logger';
import { echoMetrics } from './echo-metrics';
import type { Metrics } from './metrics';
import { noopMetrics } from './noop-metrics';

export type MetricsOptions = Pick<Config['metrics'], 'driver' | 'prefix'>;

/** Builds the metrics that `[metrics]` asks for. Measuring is no reason not to start: a missing driver is a warning. */
export function createMetrics({ driver, prefix }: MetricsOptions, logger: Pick<Logger, 'debug' | 'warn'>): Metrics {
  switch (driver) {
    case 'noop':
      return noopMetrics;
    case 'echo':
      return echoMetrics(logger, prefix ? `svc.${prefix}` : 'svc');
    case 'statsd':
      logger.warn('The metrics driver statsd is not part of this version: nothing is measured.');
      return noopMetrics;
  }
}
