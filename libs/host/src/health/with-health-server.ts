import type { Service } from '../service';
import { createHealthServer } from './health-server';

/** Lets a service without an HTTP interface answer health checks on a port of its own; port 0 means none. */
export function withHealthServer(service: Service, host: string, port: number): Service {
  if (port === 0) return service;
  const server = createHealthServer({ host, port, report: () => service.health() });
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
