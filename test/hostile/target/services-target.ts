import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster, type ServiceProcess } from '../../system/cluster-process';
import { startRealServers } from '../../system/real-servers';
import { targetEnvironment } from './environment';
import type { TargetOptions } from './process-target';
import type { Target, TargetProcess } from './target';
import { recordTurns } from './turns';

/** Each service in its own process, on RabbitMQ and a server with the MongoDB protocol. */
export async function openServicesTarget({ packs, users }: TargetOptions): Promise<Target> {
  const servers = await startRealServers();
  const turns = recordTurns();
  const cluster = await startCluster({
    mongoUrl: servers.mongo.url,
    amqpUrl: servers.rabbit.url,
    runners: 2,
    packs,
    environment: targetEnvironment(turns),
  });
  appendFileSync(join(cluster.directory, 'htpasswd'), users.map((line) => `${line}\n`).join(''));
  const addresses = { api: cluster.api, auth: cluster.auth, stream: cluster.stream };
  return {
    addresses,
    get probed() {
      const pids = new Map(cluster.services.map(processOf).map(({ name, pid }) => [name, pid]));
      return Object.fromEntries(
        Object.entries(addresses).map(([name, url]) => [name, { url, pid: pids.get(name) ?? 0 }]),
      );
    },
    directory: cluster.directory,
    turns,
    processes: () => cluster.services.map(processOf),
    died: () => cluster.services.flatMap(deathOf),
    async restart() {
      await Promise.all(cluster.services.map((service) => service.stop()));
      for (const service of cluster.services) service.start();
      await cluster.ready();
    },
    *logs() {
      for (const file of readdirSync(cluster.directory).filter((name) => name.endsWith('.log'))) {
        yield readFileSync(join(cluster.directory, file), 'utf8');
      }
    },
    async stop() {
      await cluster.stop();
      await servers.remove();
      turns.remove();
    },
  };
}

const processOf = ({ name, child }: ServiceProcess): TargetProcess => ({ name, pid: child?.pid ?? 0 });

const deathOf = ({ name, child }: ServiceProcess): string[] =>
  child && (child.exitCode !== null || child.signalCode !== null)
    ? [`${name} (${child.pid ?? 0}) ended (${child.exitCode ?? child.signalCode})`]
    : [];
