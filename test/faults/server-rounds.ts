import { join } from 'node:path';
import { login, type ApiCaller } from '../system/api-caller';
import { startCluster, type Cluster, type ServiceProcess } from '../system/cluster-process';
import { startRealServers, type RealServers } from '../system/real-servers';
import type { TestServer } from '../system/test-server';
import { cutPath, type CutPath } from './cut-path';
import { descendants, journalProblems, settled } from './checks';
import type { RoundReport } from './embedded-round';
import { startLoad } from './load';

/** A fault and its repair. */
interface Fault {
  name: string;
  happen(): Promise<void>;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Everything must end within this time after a fault is over. */
const SETTLE_MS = 10_000;
/** A load that two cores can handle together with all servers and services. */
const PAUSE_MS = 300;
/** Requests during a fault. Working them off afterwards must not take long even on a slow machine. */
const MEANWHILE = 120;
/** Longer than the lease of a process, so the others consider it dead. */
const STOPPED_MS = 8000;
const AWAY_MS = 1500;

/** Runs the services as separate processes on real servers, with one fault at a time under load. */
export async function openServerRounds(directory: string) {
  const servers = await startRealServers();
  const toStore = await cutPath(servers.mongo.url);
  const toBroker = await cutPath(servers.rabbit.url);
  const cluster = await startCluster({
    mongoUrl: toStore.url,
    amqpUrl: toBroker.url,
    runners: 3,
    schedulers: 2,
    environment: { SVC_FAULTS_RUN: directory },
  });
  const api = await login(cluster.api, cluster.auth);
  return {
    round: (number: number, random: () => number) =>
      serverRound({ cluster, servers, toStore, toBroker, api, directory }, number, random),
    async close() {
      api.close();
      await cluster.stop();
      await Promise.all([toStore.close(), toBroker.close()]);
      await servers.remove();
    },
  };
}

interface Setting {
  cluster: Cluster;
  servers: RealServers;
  toStore: CutPath;
  toBroker: CutPath;
  api: ApiCaller;
  directory: string;
}

async function serverRound(setting: Setting, number: number, random: () => number): Promise<RoundReport> {
  const { cluster, api, directory } = setting;
  const journal = join(directory, `journal-${number}`);
  const load = startLoad(api, journal, random, PAUSE_MS);
  await wait(300 + random() * 700);
  const fault = chooseFault(setting, random);
  load.endAfter(MEANWHILE);
  await fault.happen();
  await load.stop();
  await cluster.ready();
  const { problems, tookMs, statuses, succeeded } = await settled(api, load.accepted, SETTLE_MS);
  const strays = await lasting(() => descendants(directory));
  return {
    problems: [
      ...problems,
      ...journalProblems(journal, succeeded),
      ...strays.map((pid) => `a process of an execution still lives after recovery: ${pid}`),
    ],
    fault: fault.name,
    tookMs,
    line: `${fault.name}: ${load.accepted.size} accepted, all ended ${tookMs.toFixed(0)} ms after it was over: ${JSON.stringify(statuses)}`,
  };
}

function chooseFault({ cluster, servers, toStore, toBroker }: Setting, random: () => number): Fault {
  const service = cluster.services[Math.floor(random() * cluster.services.length)] as ServiceProcess;
  const faults: Fault[] = [
    { name: `kill -9 ${service.name}`, happen: () => crash(service, random() * AWAY_MS) },
    { name: `kill -9 ${service.name}`, happen: () => crash(service, random() * AWAY_MS) },
    { name: `SIGSTOP ${service.name}`, happen: () => freeze(service) },
    { name: 'kill -9 RabbitMQ', happen: () => restart(servers.rabbit) },
    { name: 'kill -9 MongoDB', happen: () => restart(servers.mongo) },
    { name: 'connections to RabbitMQ cut', happen: () => toBroker.cut(random() * AWAY_MS) },
    { name: 'connections to MongoDB cut', happen: () => toStore.cut(random() * AWAY_MS) },
  ];
  return faults[Math.floor(random() * faults.length)] as Fault;
}

async function crash(service: ServiceProcess, awayMs: number): Promise<void> {
  await service.stop('SIGKILL');
  await wait(awayMs);
  service.start();
}

async function freeze(service: ServiceProcess): Promise<void> {
  service.signal('SIGSTOP');
  await wait(STOPPED_MS);
  service.signal('SIGCONT');
}

async function restart(server: TestServer): Promise<void> {
  await server.stop('SIGKILL');
  await wait(AWAY_MS);
  await server.start();
}

/** Leftovers that still exist after the recovery interval. */
async function lasting(look: () => string[]): Promise<string[]> {
  for (let tries = 0; tries < 50 && look().length > 0; tries++) await wait(100);
  return look();
}
