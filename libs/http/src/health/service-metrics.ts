import type { MetricsPage, ProcessMetrics } from '@switchyard/telemetry';
import type { Route } from '../routing/route';
import { observeRequests, type Observation } from '../server/record-request';

/** The route and the observer that measure a service. */
export interface ServiceMetrics {
  readonly routes: Route[];
  readonly observe: (observation: Observation) => void;
}

/** @param metrics if undefined, nothing is measured, and there is no page */
export const serviceMetrics = (service: string, metrics: ProcessMetrics | undefined): ServiceMetrics =>
  metrics
    ? { routes: [metricsRoute(metrics.page)], observe: observeRequests(metrics, service) }
    : { routes: [], observe: () => undefined };

/** `GET /metrics`, without credentials. */
const metricsRoute = (page: MetricsPage): Route => ({
  method: 'GET',
  path: '/metrics',
  operation: 'metrics.get',
  summary: 'Measurements in the Prometheus text format',
  open: true,
  quiet: true,
  async handle({ header }) {
    const { text, contentType } = await page.inFormatFor(header('accept'));
    return { status: 200, text, headers: { 'Content-Type': contentType } };
  },
});

export interface Health {
  readonly live: boolean;
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** How a service reports its health. */
export interface HealthReporter {
  /** Waits for the checks. */
  health(): Promise<Health>;
  /** Waits for nothing. */
  lastHealth(): Health;
}

/**
 * `/healthz` (is the process alive) and `/readyz` (does it accept requests). They answer 200 or 503, without credentials. A busy store must
 * not make a process look dead, so `/healthz` shows the latest results of the checks, and only `/readyz` waits for them.
 */
export const healthRoutes = (reporter: () => HealthReporter): Route[] => [
  healthRoute('/healthz', 'health.live', 'Whether the process is alive', () => reporter().lastHealth(), 'live'),
  healthRoute('/readyz', 'health.ready', 'Whether the service accepts requests', () => reporter().health(), 'ready'),
];

const healthRoute = (
  path: string,
  operation: string,
  summary: string,
  report: () => Health | Promise<Health>,
  asked: 'live' | 'ready',
): Route => ({
  method: 'GET',
  path,
  operation,
  summary,
  open: true,
  quiet: true,
  async handle() {
    const health = await report();
    return { status: health[asked] ? 200 : 503, body: health };
  },
});
