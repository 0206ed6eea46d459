import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { MetricsPage } from '@switchyard/telemetry';
import type { HealthReport } from '../service';

/**
 * For services without an HTTP interface: `/healthz` (200 while the process is live), `/readyz` (200 while the service
 * is ready) and `/metrics` (measurements for Prometheus).
 */
export interface HealthServer {
  /** @returns the port; the system chooses one when the configured port is 0 */
  start(): Promise<number>;
  stop(): Promise<void>;
}

export interface HealthServerOptions {
  host: string;
  port: number;
  report: () => HealthReport | Promise<HealthReport>;
  page: MetricsPage;
}

export function createHealthServer({ host, port, report, page }: HealthServerOptions): HealthServer {
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const answering =
      path === '/metrics' ? answerPage(response, page, request.headers.accept) : answerHealth(response, path, report);
    answering.catch(() => response.destroy());
  });
  return {
    async start() {
      server.listen(port, host);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answerPage(response: ServerResponse, page: MetricsPage, accept: string | undefined): Promise<void> {
  const { text, contentType } = await page.inFormatFor(accept);
  response.writeHead(200, { 'content-type': contentType });
  response.end(text);
}

async function answerHealth(
  response: ServerResponse,
  path: string,
  report: HealthServerOptions['report'],
): Promise<void> {
  const answer = await report();
  const good = { '/healthz': answer.live, '/readyz': answer.ready }[path];
  response.writeHead(good === undefined ? 404 : good ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify(good === undefined ? { faultstring: 'The resource could not be found.' } : answer));
}
