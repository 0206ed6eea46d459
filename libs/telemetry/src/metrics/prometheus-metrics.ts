import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { labelsOf, metricTable, rowOf, type MetricName } from './metric-table';
import type { MetricsSink } from './metrics';

/** All measurements of this process in the Prometheus text format. */
export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Keeps all measurements in memory and renders them as a page. */
export function prometheusMetrics(): { sink: MetricsSink; page: MetricsPage } {
  const registry = new Registry();
  const { counters, histograms, gauges } = instruments(registry);
  let withProcess = false;
  return {
    sink: {
      count: (name, labels) => counters.get(name)?.inc(labels),
      time: (name, durationMs, labels) => histograms.get(name)?.observe(labels, durationMs / 1000),
      level: (name, value, labels) => gauges.get(name)?.set(labels, value),
      shift: (name, by, labels) => gauges.get(name)?.inc(labels, by),
    },
    page: {
      contentType: registry.contentType,
      text: () => {
        // Measurements of the process (memory, event loop, garbage collector) start with the first request for the page.
        if (!withProcess) collectDefaultMetrics({ register: registry });
        withProcess = true;
        return registry.metrics();
      },
    },
  };
}

function instruments(registry: Registry) {
  const counters = new Map<MetricName, Counter>();
  const histograms = new Map<MetricName, Histogram>();
  const gauges = new Map<MetricName, Gauge>();
  for (const metric of Object.keys(metricTable) as MetricName[]) {
    const { kind, when, prometheus: name, long } = rowOf(metric);
    if (name === undefined) continue;
    const common = { name, help: when, labelNames: [...labelsOf(metric)], registers: [registry] };
    if (kind === 'counter') counters.set(metric, new Counter(common));
    else if (kind === 'gauge') gauges.set(metric, new Gauge(common));
    else histograms.set(metric, new Histogram({ ...common, buckets: [...(long ? LONG_BUCKETS : SHORT_BUCKETS)] }));
  }
  return { counters, histograms, gauges };
}

/** Upper bounds of histograms in seconds, from a normal write to the store up to one that hangs. */
const SHORT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** From an action that does nothing up to one that runs for hours. */
const LONG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60, 300, 1800, 7200] as const;
