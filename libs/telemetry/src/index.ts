export { createLogger, type LoggerOptions, type LogOutput } from './create-logger';
export { captureDestination, type CaptureDestination, type Destination } from './destinations/destination';
export { fileDestination } from './destinations/file-destination';
export { streamDestination } from './destinations/stream-destination';
export type { LogFormat } from './line-formats';
export { logLevels, type LogFields, type Logger, type LogLevel, type RootLogger } from './logger';
export { loggerOptions, loggerSettings, type LoggerSettings } from './logger-options';
export { createMetrics, type MetricsOptions, type ProcessMetrics } from './metrics/create-metrics';
export { metricTable, type MetricName, type MetricRow } from './metrics/metric-table';
export { noMetrics, type Metrics } from './metrics/metrics';
export type { MetricsPage } from './metrics/prometheus-metrics';
export {
  carrierOf,
  inSpan,
  noSpans,
  spanIdOf,
  type EndedSpan,
  type SpanAttributes,
  type SpanCarrier,
  type SpanContext,
  type SpanRecorder,
  type SpanStart,
} from './spans/span-recorder';
