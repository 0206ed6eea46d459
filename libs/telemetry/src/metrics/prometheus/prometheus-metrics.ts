import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { labelsOf, metricTable, rowOf, type MetricName } from '../metric-table';
import type { MetricsSink } from '../metrics-sink';
import { LONG_BUCKETS, SHORT_BUCKETS } from './buckets';

/** All measurements of this process in the text format of Prometheus. */
export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Keeps every measurement in this process, for whoever asks. */
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
        // The process itself (memory, event loop, collector) is watched from the first time that somebody asks.
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
