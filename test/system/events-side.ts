import { login, type ApiCaller } from './api-caller';
import { startCluster, type Cluster } from './cluster-process';
import { namesOnGivenServers, type ServersOfTest } from './servers-of-test';
import { startSystem, type SystemProcess } from './system-process';

/** A system of real processes: one process on the embedded drivers, or one per service on servers. */
export interface EventsSide {
  readonly api: ApiCaller;
  readonly addresses: Pick<SystemProcess, 'api' | 'auth' | 'stream'>;
  readonly directory: string;
  /** The services, if they run as separate processes. */
  readonly cluster: Cluster | undefined;
  stop(): Promise<void>;
}

/** On the embedded drivers, unless SVC_TEST_MONGODB_URL and SVC_TEST_AMQP_URL name servers. */
export async function startSide(): Promise<EventsSide> {
  const servers = await namesOnGivenServers();
  if (servers) return onServers(servers);
  const system = await startSystem();
  const api = await login(system.api, system.auth);
  return {
    api,
    addresses: system,
    directory: system.directory,
    cluster: undefined,
    async stop() {
      api.close();
      await system.stop();
    },
  };
}

async function onServers(servers: ServersOfTest): Promise<EventsSide> {
  const cluster = await startCluster(servers);
  const api = await login(cluster.api, cluster.auth);
  return {
    api,
    addresses: cluster,
    directory: cluster.directory,
    cluster,
    async stop() {
      api.close();
      await cluster.stop();
      await servers.remove();
    },
  };
}
