import { login } from '../system/api-caller';
import { startCluster, type Cluster } from '../system/cluster-process';
import type { RealServers } from '../system/real-servers';
import { freePorts } from '../system/system-process';
import { openCallCounters } from './service-calls';
import { OWN_USER, pidOf, startSince, type OpenOptions, type ProcessStart, type Target } from './target';

/** The option for the health port of each service that has no other port. */
const HEALTH_PORTS: Readonly<Record<string, string>> = {
  notifier: 'SVC_NOTIFIER__HEALTH_PORT',
  timers: 'SVC_TIMERSENGINE__HEALTH_PORT',
  'garbage-collector': 'SVC_GARBAGECOLLECTOR__HEALTH_PORT',
  'rules-engine': 'SVC_RULESENGINE__HEALTH_PORT',
  'sensor-container': 'SVC_SENSORCONTAINER__HEALTH_PORT',
  scheduler: 'SVC_SCHEDULER__HEALTH_PORT',
  'workflow-engine': 'SVC_WORKFLOW_ENGINE__HEALTH_PORT',
  'action-runner': 'SVC_ACTIONRUNNER__HEALTH_PORT',
};

/** @param services one, or several with commas between them, which share the port */
const healthPort = (services: string, port: number): Record<string, string> =>
  Object.fromEntries(
    services
      .split(',')
      .flatMap((name) => HEALTH_PORTS[name] ?? [])
      .map((option) => [option, String(port)]),
  );

const MOST_PROCESSES = 40;
const LOOK_MS = 5;
const READY_MS = 300_000;

/** Starts a system with a process for each service, on its own database and its own names of queues. */
export async function startServices(servers: RealServers, options: OpenOptions): Promise<Target> {
  const { label, checkout, runners, counted, groups } = options;
  const ports = await freePorts(MOST_PROCESSES);
  const addresses = { mongo: servers.mongo.url, rabbit: servers.rabbit.url };
  const counters = counted ? await openCallCounters(addresses, MOST_PROCESSES) : undefined;
  const cluster = await startCluster({
    checkout,
    runners,
    ...(groups && { groups }),
    mongoUrl: servers.mongo.url,
    amqpUrl: servers.rabbit.url,
    environmentOf(service, index) {
      return { ...OWN_USER, ...healthPort(service, ports[index] ?? 0), ...counters?.environment(index) };
    },
  });
  const { api, auth, stream } = cluster;
  const listeners: Readonly<Record<string, string>> = { api, auth, stream };
  const named = () => namedServices(cluster);
  const health = (services: string, index: number) =>
    listeners[services.split(',').at(-1) ?? ''] ?? `http://127.0.0.1:${ports[index]}`;
  return {
    label,
    api,
    stream,
    login: () => login(api, auth),
    local: {
      checkout,
      get processes() {
        return named().flatMap(({ name, service: { child } }) => (child ? [{ name, pid: pidOf(child) }] : []));
      },
      get servers() {
        return [
          { name: 'store', pid: servers.mongo.pid ?? 0 },
          { name: 'broker', pid: servers.rabbit.pid ?? 0 },
        ];
      },
      store: { driver: 'mongodb', url: servers.mongo.url, database: cluster.database },
      async restart(whileStopped, environment) {
        await Promise.all(cluster.services.map((service) => service.stop()));
        await whileStopped?.();
        const starts = new Map<string, ProcessStart>();
        // Sequentially, so that each has the processors to itself.
        for (const [index, { name, service }] of named().entries()) {
          const start = performance.now();
          service.start({ more: environment });
          await untilReady(name, health(service.name, index));
          starts.set(name, startSince(start, pidOf(service.child)));
        }
        await cluster.ready();
        return starts;
      },
      async resize(name, count, more) {
        const running = cluster.services.filter((service) => service.name === name && service.child);
        await Promise.all(running.slice(count).map((service) => service.stop()));
        for (let missing = count - running.length; missing > 0; missing--) {
          const idle = cluster.services.find((service) => service.name === name && !service.child);
          const service = idle ?? cluster.add(name);
          service.start({ more });
          await untilReady(name, health(name, cluster.services.indexOf(service)));
        }
      },
      ...(counters && { calls: () => counters.take(named().map(({ name }) => name)) }),
    },
    async stop() {
      await cluster.stop();
      counters?.close();
    },
  };
}

/** The services, with a number after the name if a service runs several times. */
function namedServices({ services }: Cluster) {
  return services.map((service, index) => {
    const before = services.slice(0, index).filter(({ name }) => name === service.name).length;
    return { name: before === 0 ? service.name : `${service.name} ${before + 1}`, service };
  });
}

async function untilReady(name: string, url: string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (Date.now() > deadline) throw new Error(`${name} is not ready ${READY_MS / 1000} seconds after its start`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
