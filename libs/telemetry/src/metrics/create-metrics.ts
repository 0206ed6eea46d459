import type { Config } from '@switchyard/config';
import type { Logger } from '../logger';
import { echoReceiver } from './echo-receiver';
import { flatMetrics } from './flat-metrics';
import type { Metrics } from './metrics';
import type { MetricsSink } from './metrics-sink';
import { prometheusMetrics, type MetricsPage } from './prometheus/prometheus-metrics';
import { datagramOutlet } from './statsd/datagram-outlet';
import { statsdReceiver } from './statsd/statsd-receiver';

export type MetricsOptions = Config['metrics'];

/** The measurements of one process. */
export interface ProcessMetrics extends Metrics {
  /** They are kept for Prometheus whatever the driver is. */
  readonly page: MetricsPage;
  /** Sends what has not been sent yet. Measurements that are taken later go nowhere but to the page. */
  close(): Promise<void>;
}

interface Driver {
  sink: MetricsSink;
  close(): Promise<void>;
}

/** Builds the metrics that `[metrics]` asks for. Nothing that goes wrong with them is anybody's error. */
export function createMetrics(options: MetricsOptions, logger: Pick<Logger, 'debug' | 'warn'>): ProcessMetrics {
  const { sink: kept, page } = prometheusMetrics();
  const driver = createDriver(options, logger);
  let closed: Promise<void> | undefined;
  let sinks = driver ? [kept, driver.sink] : [kept];
  return {
    count: (name, ...[labels = {}]) => sinks.forEach((sink) => sink.count(name, labels)),
    time: (name, durationMs, ...[labels = {}]) => sinks.forEach((sink) => sink.time(name, durationMs, labels)),
    level: (name, value, ...[labels = {}]) => sinks.forEach((sink) => sink.level(name, value, labels)),
    shift: (name, by, ...[labels = {}]) => sinks.forEach((sink) => sink.shift(name, by, labels)),
    page,
    async close() {
      sinks = [kept];
      await (closed ??= driver?.close());
    },
  };
}

/** @returns undefined for `noop` */
function createDriver(options: MetricsOptions, logger: Pick<Logger, 'debug' | 'warn'>): Driver | undefined {
  const { driver, host, port, sample_rate: sampleRate } = options;
  const prefix = options.prefix ? `svc.${options.prefix}.` : 'svc.';
  switch (driver) {
    case 'noop':
      return undefined;
    case 'echo':
      return { sink: flatMetrics(echoReceiver(logger, prefix)), close: () => Promise.resolve() };
    case 'statsd': {
      const outlet = datagramOutlet({ host, port, onError: once(logger, `${host}:${port}`) });
      return { sink: flatMetrics(statsdReceiver({ prefix, sampleRate, outlet })), close: outlet.close };
    }
  }
}

function once(logger: Pick<Logger, 'warn'>, address: string): (error: Error) => void {
  let told = false;
  return (error) => {
    if (!told) logger.warn('Measurements do not reach statsd; this is not said again.', { address, error });
    told = true;
  };
}
