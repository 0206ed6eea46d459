import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { HealthReport } from '../service';

/** `/healthz` (200 while it should live) and `/readyz` (200 while it can work) for services without an HTTP interface. */
export interface HealthServer {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface HealthServerOptions {
  host: string;
  port: number;
  report: () => HealthReport | Promise<HealthReport>;
}

export function createHealthServer({ host, port, report }: HealthServerOptions): HealthServer {
  const server: Server = createServer((request, response) => {
    void (async () => {
      const answer = await report();
      const good = { '/healthz': answer.live, '/readyz': answer.ready }[(request.url ?? '').split('?')[0] ?? ''];
      response.writeHead(good === undefined ? 404 : good ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify(good === undefined ? { faultstring: 'The resource could not be found.' } : answer));
    })().catch(() => response.destroy());
  });
  return {
    async start() {
      server.listen(port, host);
      await once(server, 'listening');
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
