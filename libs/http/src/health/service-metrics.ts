import type { ProcessMetrics } from '@switchyard/telemetry';
import type { Route } from '../routing/route';
import type { Observation } from '../server/serve-request';
import { metricsRoute } from './metrics-route';
import { observeRequests } from './observe-requests';

/** What an application needs so that a service is measured. */
export interface ServiceMetrics {
  readonly routes: Route[];
  readonly observe: (observation: Observation) => void;
}

/** @param metrics without them nothing is measured, and there is no page of measurements */
export const serviceMetrics = (service: string, metrics: ProcessMetrics | undefined): ServiceMetrics =>
  metrics
    ? { routes: [metricsRoute(metrics.page)], observe: observeRequests(metrics, service) }
    : { routes: [], observe: () => undefined };
