import { DEAD_LETTER, prefixed, workQueues } from '@switchyard/messaging';
import { connect } from 'amqplib';
import { login } from '../../system/api-caller';
import { startCluster, type Cluster } from '../../system/cluster-process';
import { startRealServers, type RealServers } from '../../system/real-servers';
import { networkPath, type NetworkPath } from '../network-path';
import { smallDisk, type SmallDisk } from '../small-disk';
import { impatient, type Site, type SiteProcess } from './site';

const PAUSE_MS = 300;
/** Enough for each service once, a second scheduler and two more action runners. */
const MOST_PROCESSES = 14;

interface Paths {
  readonly MongoDB: NetworkPath;
  readonly RabbitMQ: NetworkPath;
}

/** @param directory of the run, which marks all processes of executions */
export async function openServerSite(directory: string): Promise<Site> {
  let disk: SmallDisk | undefined;
  const servers = await startRealServers((data) => (disk = smallDisk(data)));
  const paths = await Promise.all(Array.from({ length: MOST_PROCESSES }, () => pathsTo(servers)));
  const cluster = await startCluster({
    mongoUrl: servers.mongo.url,
    amqpUrl: servers.rabbit.url,
    runners: 3,
    schedulers: 2,
    environment: { SVC_FAULTS_RUN: directory },
    environmentOf: (_, index) => environmentOf(paths[index]!),
  });
  const api = impatient(await login(cluster.api, cluster.auth));
  return {
    directory: cluster.directory,
    api,
    pauseMs: PAUSE_MS,
    processes: processesOf(cluster, paths),
    servers: { MongoDB: servers.mongo, RabbitMQ: servers.rabbit },
    disk,
    queued: () => queued(servers.rabbit.url, cluster.database),
    ready: () => cluster.ready(),
    endedAlone: () => cluster.services.flatMap(endedAlone),
    async close() {
      api.close();
      await cluster.stop();
      await Promise.all(paths.flatMap(({ MongoDB, RabbitMQ }) => [MongoDB.close(), RabbitMQ.close()]));
      await Promise.all([servers.mongo.stop(), servers.rabbit.stop()]);
      disk?.remove();
      await servers.remove();
    },
  };
}

const pathsTo = async ({ mongo, rabbit }: RealServers): Promise<Paths> => ({
  MongoDB: await networkPath(mongo.url),
  RabbitMQ: await networkPath(rabbit.url),
});

/** Each process has its own ways, so that one alone can be cut off. */
const environmentOf = ({ MongoDB, RabbitMQ }: Paths): Record<string, string> => ({
  SVC_DATABASE__HOST: MongoDB.url,
  SVC_MESSAGING__URL: RabbitMQ.url,
});

/** Processes of the same service have numbers after their names. */
const processesOf = ({ services }: Cluster, paths: readonly Paths[]): SiteProcess[] =>
  services.map((service, index) => ({
    name: service.name,
    get pid() {
      return service.child?.pid ?? 0;
    },
    paths: paths[index]!,
    start: (environment) => service.start({ more: environment }),
    stop: (signal) => service.stop(signal),
    signal: (signal) => service.signal(signal),
  }));

function endedAlone({ name, child }: Cluster['services'][number]): string[] {
  const end = child?.exitCode ?? child?.signalCode ?? null;
  return end === null ? [] : [`${name} has ended by itself (${end})`];
}

async function queued(brokerUrl: string, prefix: string): Promise<Record<string, number>> {
  const connection = await connect(brokerUrl);
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createChannel();
    const counts: Record<string, number> = {};
    for (const name of [...Object.keys(workQueues), DEAD_LETTER]) {
      const { messageCount } = await channel.checkQueue(prefixed(prefix, name));
      if (messageCount > 0) counts[name] = messageCount;
    }
    return counts;
  } finally {
    await connection.close();
  }
}
