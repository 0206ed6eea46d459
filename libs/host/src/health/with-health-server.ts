import type { MetricsPage } from '@switchyard/telemetry';
import type { Service } from '../service';
import { createHealthServer } from './health-server';

/** Adds a port for health checks and metrics to a service without an HTTP interface. Port 0 means none. */
export function withHealthServer(service: Service, host: string, port: number, page: MetricsPage): Service {
  if (port === 0) return service;
  const server = createHealthServer({ host, port, report: () => service.health(), page });
  return {
    ...service,
    async start() {
      await server.start();
      await service.start();
    },
    async stop() {
      await service.stop();
      await server.stop();
    },
    async kill() {
      await service.kill();
      await server.stop();
    },
  };
}
