import type { Metrics } from '@switchyard/telemetry';
import type { Observation } from '../server/serve-request';

/**
 * Counts and times the requests of a service, for an application's `observe`. Requests for health and measurements
 * themselves are left out: nobody wants to see how often somebody looked.
 */
export function observeRequests(
  metrics: Pick<Metrics, 'count' | 'time'>,
  service: string,
): (observation: Observation) => void {
  return ({ operation, path, quiet, method, status, durationMs }) => {
    if (quiet) return;
    const code = String(status);
    metrics.count('{service}.request.total', { service });
    metrics.count('{service}.request.method.{method}', { service, method });
    metrics.count('{service}.request.path.{path}', { service, path: flatPath(path) });
    metrics.count('{service}.response.status.{code}', { service, code });
    metrics.time('{service}.request', durationMs, { service });
    metrics.count('http_requests', { service, operation, method, code });
    metrics.time('http_request', durationMs, { service, operation });
  };
}

/** `/executions/{id}` as `_v1_executions_id`: what the reference calls a path without parameters. */
const flatPath = (path: string): string =>
  path.startsWith('/') ? `/v1${path}`.replace(/[{}+]/g, '').replaceAll('/', '_') : path;
