import { login, type ApiCaller } from '../../system/api-caller';
import { startCluster, type Cluster } from '../../system/cluster-process';
import { startRealServers } from '../../system/real-servers';
import { startSystem, type SystemProcess } from '../../system/system-process';
import type { RoundReport } from '../round-report';
import { Chance } from './chance';
import { installWorkflows } from './install';
import { judge, stillOpen, submitAll } from './judge';
import { randomWorkflows, type RandomWorkflow } from './random-workflows';

const KILL_EVERY_MS = 1000;
const KILLED = ['workflow-engine', 'action-runner', 'scheduler'];

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Limits the kills, in case a slow machine makes no progress between them. */
const mostKills = (workflows: readonly unknown[]): number => 2 + workflows.length;

/** @param scale how many workflows run in each round @param seed of the workflows */
export function openEmbeddedWorkflowRounds(directory: string, scale: number, seed: number) {
  const workflows = randomWorkflows(scale, seed);
  return Promise.resolve({
    round: (_: number, random: () => number) => embeddedRound(directory, workflows, new Chance(random)),
    close: () => Promise.resolve(),
  });
}

/** Kills the whole system repeatedly while workflows run. */
async function embeddedRound(
  directory: string,
  workflows: readonly RandomWorkflow[],
  chance: Chance,
): Promise<RoundReport> {
  const options = { directory, environment: { SVC_FAULTS_RUN: directory } };
  let system: SystemProcess = await startSystem(options);
  let api = await login(system.api, system.auth);
  await installWorkflows(directory, api, workflows);
  const submitted = await submitAll(api, workflows);
  const kills: number[] = [];
  let open = submitted;
  while (open.length > 0 && kills.length < Math.ceil(mostKills(workflows) / 4)) {
    await wait(200 + chance.below(1800));
    api.close();
    kills.push(Date.now());
    await system.stop({ signal: 'SIGKILL', keepData: true });
    system = await startSystem(options);
    api = await login(system.api, system.auth);
    open = await stillOpen(api, open);
  }
  const report = await judge(api, submitted, { kills, directory });
  api.close();
  await system.stop({ keepData: true });
  return { ...report, fault: 'kill -9 of everything' };
}

/** Runs separate processes on real servers. @param scale the number of workflows per round @param seed for the workflows */
export async function openServerWorkflowRounds(directory: string, scale: number, seed: number) {
  const workflows = randomWorkflows(scale, seed);
  const servers = await startRealServers();
  const cluster = await startCluster({
    mongoUrl: servers.mongo.url,
    amqpUrl: servers.rabbit.url,
    engines: 2,
    runners: 2,
    environment: { SVC_FAULTS_RUN: directory },
  });
  const api = await login(cluster.api, cluster.auth);
  await installWorkflows(cluster.directory, api, workflows);
  return {
    round: (_: number, random: () => number) => serverRound({ cluster, api, workflows, directory }, new Chance(random)),
    async close() {
      api.close();
      await cluster.stop();
      await servers.remove();
    },
  };
}

interface Setting {
  cluster: Cluster;
  api: ApiCaller;
  workflows: readonly RandomWorkflow[];
  directory: string;
}

/** Every second, kills and restarts an engine, a runner or the scheduler while workflows run. */
async function serverRound({ cluster, api, workflows, directory }: Setting, chance: Chance): Promise<RoundReport> {
  const services = cluster.services.filter(({ name }) => KILLED.includes(name));
  const submitted = await submitAll(api, workflows);
  const kills: number[] = [];
  let open = submitted;
  while (open.length > 0 && kills.length < mostKills(workflows)) {
    const service = chance.of(services);
    kills.push(Date.now());
    await service.stop('SIGKILL');
    service.start();
    const [still] = await Promise.all([stillOpen(api, open), wait(KILL_EVERY_MS)]);
    open = still;
  }
  const report = await judge(api, submitted, { kills, directory });
  return { ...report, fault: 'kill -9 every second' };
}
