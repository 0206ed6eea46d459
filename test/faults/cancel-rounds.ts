import { setTimeout as wait } from 'node:timers/promises';
import { login, type ApiCaller } from '../system/api-caller';
import { startCluster, type Cluster } from '../system/cluster-process';
import { startRealServers } from '../system/real-servers';
import { startSystem } from '../system/system-process';
import { descendants } from './checks';
import type { RoundReport } from './round-report';
import { growTree, installTree, treeProblems, untilEnded, type Tree } from './tree';

/** The time limit for a tree to grow and to end: a base plus a part per execution. */
const LIMIT_MS = 60_000;
const EACH_MS = 50;
/** The minimum time to cancel one execution, so that kills happen before the end. */
const CANCEL_MS = 0.3;
const MOST_KILLS = 3;
const USER = 'testu';

const limitOf = ({ size }: Pick<Tree, 'size'>): number => LIMIT_MS + EACH_MS * size;

const momentsIn = ({ size }: Tree, random: () => number): number[] =>
  Array.from({ length: 1 + Math.floor(random() * MOST_KILLS) }, () => random() * size * CANCEL_MS);

/** Kills the whole system several times while a tree of executions is being canceled. */
export async function embeddedCancelRound(
  directory: string,
  { scale, random }: { scale: number; random: () => number },
): Promise<RoundReport> {
  const options = { directory, environment: { SVC_FAULTS_RUN: directory } };
  let system = await startSystem(options);
  let api = await login(system.api, system.auth);
  const tree = await growTree(api, (await installTree(directory, api, scale)).size, LIMIT_MS + EACH_MS * scale);
  await cancel(api, tree);
  const moments = momentsIn(tree, random);
  for (const moment of moments) {
    await wait(moment);
    api.close();
    await system.stop({ signal: 'SIGKILL', keepData: true });
    system = await startSystem(options);
    api = await login(system.api, system.auth);
  }
  const report = await judge(api, tree, directory);
  api.close();
  await system.stop({ keepData: true });
  return { ...report, fault: 'kill -9 of everything', line: `${moments.length} kills; ${report.line}` };
}

/** The same on real servers, where one of two engines is killed each time. */
export async function openServerCancelRounds(directory: string, scale: number) {
  const servers = await startRealServers();
  const cluster = await startCluster({
    ...{ mongoUrl: servers.mongo.url, amqpUrl: servers.rabbit.url, engines: 2 },
    environment: { SVC_FAULTS_RUN: directory },
  });
  const api = await login(cluster.api, cluster.auth);
  const { size } = await installTree(cluster.directory, api, scale);
  return {
    round: (_: number, random: () => number) => serverRound({ cluster, api, size, directory }, random),
    async close() {
      api.close();
      await cluster.stop();
      await servers.remove();
    },
  };
}

interface Setting {
  readonly cluster: Cluster;
  readonly api: ApiCaller;
  readonly size: number;
  readonly directory: string;
}

async function serverRound({ cluster, api, size, directory }: Setting, random: () => number): Promise<RoundReport> {
  const engines = cluster.services.filter(({ name }) => name === 'workflow-engine');
  const tree = await growTree(api, size, limitOf({ size }));
  await cancel(api, tree);
  const moments = momentsIn(tree, random);
  for (const moment of moments) {
    await wait(moment);
    const engine = engines[Math.floor(random() * engines.length)]!;
    await engine.stop('SIGKILL');
    engine.start();
  }
  const report = await judge(api, tree, directory);
  return { ...report, fault: 'kill -9 workflow-engine', line: `${moments.length} kills; ${report.line}` };
}

async function cancel(api: ApiCaller, { root }: Tree): Promise<void> {
  const { status, body } = await api.call('DELETE', `/v1/executions/${root}`);
  if (status !== 200) throw new Error(`canceling was refused with ${status}: ${JSON.stringify(body)}`);
}

async function judge(api: ApiCaller, tree: Tree, directory: string): Promise<Omit<RoundReport, 'fault'>> {
  const start = performance.now();
  await untilEnded(api, limitOf(tree));
  const tookMs = performance.now() - start;
  const problems = [
    ...(await treeProblems(api, tree, USER)),
    ...descendants(directory).map((pid) => `a process of an execution still lives: ${pid}`),
  ];
  return { problems, tookMs, line: `${tree.size} executions had ended ${tookMs.toFixed(0)} ms after the last one` };
}
