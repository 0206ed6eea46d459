import type { MetricsPage } from '@switchyard/telemetry';
import type { HealthReport, Service } from '../service';
import { createHealthServer, type HealthServer } from './health-server';

/**
 * Adds a port for health checks and metrics to a service without an HTTP interface. Port 0 means none. Services of one process with
 * the same port share a listener, which is ready once all of them are.
 */
export type WithHealthPort = (service: Service, port: number) => Service;

/** The health listeners of one process. */
export function createHealthListeners(host: string, page: MetricsPage): WithHealthPort {
  const byPort = new Map<number, HealthListener>();
  return (service, port) => {
    if (port === 0) return service;
    const listener = byPort.get(port) ?? new HealthListener({ host, port, page });
    byPort.set(port, listener);
    return listener.serve(service);
  };
}

/** Listens from the start of its first service to the end of its last one. */
class HealthListener {
  readonly #services: Service[] = [];
  readonly #open = new Set<Service>();
  readonly #started = new Set<Service>();
  readonly #server: HealthServer;
  #listening: Promise<unknown> | undefined;

  constructor(place: { readonly host: string; readonly port: number; readonly page: MetricsPage }) {
    this.#server = createHealthServer({ ...place, report: () => this.#report() });
  }

  serve(service: Service): Service {
    this.#services.push(service);
    const leave = async () => {
      this.#open.delete(service);
      if (this.#open.size === 0) await this.#server.stop();
    };
    return {
      ...service,
      start: async () => {
        this.#open.add(service);
        await (this.#listening ??= this.#server.start());
        await service.start();
        this.#started.add(service);
      },
      stop: async () => {
        await service.stop();
        await leave();
      },
      kill: async () => {
        await service.kill();
        await leave();
      },
    };
  }

  async #report(): Promise<HealthReport> {
    const [only, ...others] = this.#services;
    if (only && others.length === 0) return only.health();
    const reports = await Promise.all(this.#services.map((service) => this.#reportOf(service)));
    return {
      live: reports.every(({ live }) => live),
      ready: reports.every(({ ready }) => ready),
      checks: Object.assign({}, ...reports.map(({ checks }) => checks)) as HealthReport['checks'],
    };
  }

  /** Prefixed with the name of the service, because services of a group have checks with the same names. */
  async #reportOf(service: Service): Promise<HealthReport> {
    const { name } = service;
    if (!this.#started.has(service)) return { live: true, ready: false, checks: { [name]: 'starting' } };
    const { live, ready, checks } = await service.health();
    const named = Object.entries(checks).map(([check, found]) => [`${name}: ${check}`, found]);
    return { live, ready, checks: Object.fromEntries(named) as HealthReport['checks'] };
  }
}
