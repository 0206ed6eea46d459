import type { Config } from '@switchyard/config';
import type { Logger } from '../logger';
import { noSpans, type SpanRecorder } from '../spans/span-recorder';
import { datagramOutlet } from './datagram-outlet';
import { echoReceiver, flatMetrics } from './flat-metrics';
import type { Metrics, MetricsSink } from './metrics';
import { prometheusMetrics, type MetricsPage } from './prometheus-metrics';
import { statsdReceiver } from './statsd-receiver';

export type MetricsOptions = Config['metrics'];

/** The measurements of one process. */
export interface ProcessMetrics extends Metrics {
  /** All measurements, for Prometheus, whatever the driver is. */
  readonly page: MetricsPage;
  /** Sends pending measurements. Later ones only appear on the page. */
  close(): Promise<void>;
}

interface Driver {
  sink: MetricsSink;
  close(): Promise<void>;
}

/** Creates the metrics configured in `[metrics]`. Failures to send them never cause an error. */
export function createMetrics(
  options: MetricsOptions,
  logger: Pick<Logger, 'debug' | 'warn'>,
  spans: SpanRecorder = noSpans,
): ProcessMetrics {
  const { sink: kept, page } = prometheusMetrics(spans);
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
  let logged = false;
  return (error) => {
    if (!logged) logger.warn('Unable to send metrics to statsd. This is logged only once.', { address, error });
    logged = true;
  };
}
