import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type Metric,
  type OpenMetricsContentType,
} from 'prom-client';
import { labelsOf, metricTable, rowOf, type MetricName } from './metric-table';
import type { SpanRecorder } from '../spans/span-recorder';
import type { Labels, MetricsSink } from './metrics';

/** All measurements of this process in the Prometheus text format. */
export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
  /** The page in the format that a client accepts: OpenMetrics, which has exemplars, is only available with spans. */
  inFormatFor(accept: string | undefined): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Keeps all measurements in memory and renders them as a page. @param spans the buckets of histograms name the last of them */
export function prometheusMetrics(spans: SpanRecorder): { sink: MetricsSink; page: MetricsPage } {
  const registry = new Registry();
  const { counters, histograms, gauges } = instruments(registry, spans.isOn);
  const observe = observerOf(spans);
  let withProcess = false;
  const complete = () => {
    // Measurements of the process (memory, event loop, garbage collection) start with the first request for the page.
    if (!withProcess) collectDefaultMetrics({ register: registry });
    withProcess = true;
    return registry;
  };
  return {
    sink: {
      count: (name, labels) => counters.get(name)?.inc(labels),
      time: (name, durationMs, labels) => observe(histograms.get(name), labels, durationMs / 1000),
      level: (name, value, labels) => gauges.get(name)?.set(labels, value),
      shift: (name, by, labels) => gauges.get(name)?.inc(labels, by),
    },
    page: {
      contentType: registry.contentType,
      text: () => complete().metrics(),
      async inFormatFor(accept) {
        return spans.isOn && accept?.includes(OPEN_METRICS)
          ? { contentType: Registry.OPENMETRICS_CONTENT_TYPE, text: await openMetricsText(complete()) }
          : { contentType: registry.contentType, text: await complete().metrics() };
      },
    },
  };
}

const OPEN_METRICS = 'application/openmetrics-text';

/** prom-client renames counters while it writes this format, so it gets objects that only inherit from the metrics. */
function openMetricsText(registry: Registry): Promise<string> {
  const copy = new Registry<OpenMetricsContentType>();
  copy.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const metric of registry.getMetricsAsArray()) copy.registerMetric(Object.create(metric) as Metric);
  return copy.metrics();
}

/** Observes a value, as an exemplar if a sampled span is active. */
function observerOf(spans: SpanRecorder) {
  if (!spans.isOn)
    return (histogram: Histogram | undefined, labels: Labels, value: number) => histogram?.observe(labels, value);
  return (histogram: Histogram | undefined, labels: Labels, value: number) => {
    const active = spans.active();
    const exemplarLabels = active?.isSampled ? { trace_id: active.traceId, span_id: active.spanId } : {};
    histogram?.observe({ labels, value, exemplarLabels });
  };
}

function instruments(registry: Registry, enableExemplars: boolean) {
  const counters = new Map<MetricName, Counter>();
  const histograms = new Map<MetricName, Histogram>();
  const gauges = new Map<MetricName, Gauge>();
  for (const metric of Object.keys(metricTable) as MetricName[]) {
    const { kind, when, prometheus: name, long } = rowOf(metric);
    if (name === undefined) continue;
    const common = { name, help: when, labelNames: [...labelsOf(metric)], registers: [registry] };
    if (kind === 'counter') counters.set(metric, new Counter(common));
    else if (kind === 'gauge') gauges.set(metric, new Gauge(common));
    else {
      const buckets = [...(long ? LONG_BUCKETS : SHORT_BUCKETS)];
      const histogram = new Histogram({ ...common, buckets, enableExemplars, registers: [] });
      // The constructor accepts exemplars only for registries that write no other format.
      registry.registerMetric(histogram);
      histograms.set(metric, histogram);
    }
  }
  return { counters, histograms, gauges };
}

/** Upper bounds of histograms in seconds, from a normal write to the store up to one that hangs. */
const SHORT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** From an action that does nothing up to one that runs for hours. */
const LONG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60, 300, 1800, 7200] as const;
