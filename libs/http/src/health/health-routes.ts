import type { Route } from '../routing/route';

export interface Health {
  readonly live: boolean;
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** `/healthz` (is the process alive) and `/readyz` (does it accept requests). They answer 200 or 503, without credentials. */
export const healthRoutes = (report: () => Health | Promise<Health>): Route[] => [
  healthRoute('/healthz', 'health.live', 'Whether the process is alive', report, 'live'),
  healthRoute('/readyz', 'health.ready', 'Whether the service accepts requests', report, 'ready'),
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
