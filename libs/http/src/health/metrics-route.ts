import type { MetricsPage } from '@switchyard/telemetry';
import type { Route } from '../routing/route';

/** `/metrics`: the measurements of this process for Prometheus, without credentials. */
export const metricsRoute = (page: MetricsPage): Route => ({
  method: 'GET',
  path: '/metrics',
  operation: 'metrics.get',
  summary: 'Measurements in the text format of Prometheus',
  open: true,
  quiet: true,
  handle: async () => ({ status: 200, text: await page.text(), headers: { 'Content-Type': page.contentType } }),
});
