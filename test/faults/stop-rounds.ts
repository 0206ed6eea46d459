import { once } from 'node:events';
import { startCluster, type Cluster, type ServiceProcess } from '../system/cluster-process';
import { startRealServers } from '../system/real-servers';
import { smallGroups } from '../system/small-groups';
import { networkPath, type NetworkPath } from './network-path';
import type { RoundReport } from './round-report';

/** A stop may take this long although a server does not respond. */
const STOP_MS = 15_000;

/** What a server is for services that stop, and how they exit without it. */
interface SilentServer {
  readonly name: string;
  readonly path: NetworkPath;
  readonly exitCode: number;
}

/**
 * Stops all services while the connections to the store (odd rounds) or the broker (even rounds) are open, but nothing arrives any more.
 * @param scale 1 for the processes of a small installation, more for a process for each service
 */
export async function openStopRounds(_directory: string, scale: number) {
  const servers = await startRealServers();
  const toStore = await networkPath(servers.mongo.url);
  const toBroker = await networkPath(servers.rabbit.url);
  const cluster = await startCluster({
    mongoUrl: toStore.url,
    amqpUrl: toBroker.url,
    ...(scale > 1 ? {} : { groups: smallGroups() }),
  });
  const silent: readonly SilentServer[] = [
    { name: 'silent MongoDB', path: toStore, exitCode: 1 },
    { name: 'silent RabbitMQ', path: toBroker, exitCode: 0 },
  ];
  return {
    round: (number: number) => stopRound(cluster, silent[(number - 1) % silent.length]!),
    async close() {
      await cluster.stop();
      await Promise.all([toStore.close(), toBroker.close()]);
      await servers.remove();
    },
  };
}

async function stopRound(cluster: Cluster, { name, path, exitCode }: SilentServer): Promise<RoundReport> {
  path.hush();
  const stops = await Promise.all(cluster.services.map((service) => stopped(service)));
  path.speak();
  for (const service of cluster.services) service.start();
  await cluster.ready();
  const slow = stops.filter(({ tookMs }) => tookMs > STOP_MS);
  const wrong = stops.filter(({ code }) => code !== exitCode);
  return {
    problems: [
      ...slow.map(
        ({ service, tookMs }) => `${service} took ${seconds(tookMs)} to stop, expected at most ${seconds(STOP_MS)}`,
      ),
      ...wrong.map(({ service, code }) => `${service} exited with ${code}, expected ${exitCode}`),
    ],
    fault: name,
    tookMs: Math.max(...stops.map(({ tookMs }) => tookMs)),
    line: `${name}: ${stops.map(({ service, tookMs }) => `${service} ${seconds(tookMs)}`).join(', ')}`,
  };
}

async function stopped(service: ServiceProcess) {
  const { child, name } = service;
  if (!child) throw new Error(`${name} does not run`);
  const startMs = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = (await ended) as [number | null, string | null];
  return { service: name, code: code ?? signal, tookMs: performance.now() - startMs };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
