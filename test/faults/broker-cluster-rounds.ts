import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { login, type ApiCaller } from '../system/api-caller';
import { startCluster, type Cluster } from '../system/cluster-process';
import { startRabbitCluster, type RabbitCluster } from '../system/rabbit-nodes';
import { startMongo } from '../system/real-servers';
import { smallGroups } from '../system/small-groups';
import type { TestServer } from '../system/test-server';
import { descendants, settled } from './checks';
import { journalProblems } from './journal';
import { startLoad } from './load';
import type { RoundReport } from './round-report';

/** The limit for new work after the kill, and for everything after the load: twice the aim, for busy machines. */
const LIMIT_MS = 20_000;
const PAUSE_MS = 300;
/** Requests after the choice of the node. */
const MEANWHILE = 80;
/** The load goes on for so long after that. */
const LONGER_MS = 2000;
/** The time limit for a node to come back and to get what it missed. */
const BACK_MS = 120_000;
const LOOK_MS = 500;

/** Runs the services on three nodes of RabbitMQ, each process connected to one of them and knowing all of them. */
export async function openBrokerClusterRounds(directory: string) {
  const [store, broker] = await Promise.all([startMongo(), startRabbitCluster()]);
  const urls = broker.nodes.map(({ url }) => url);
  const from = (index: number) => [...urls.slice(index % urls.length), ...urls.slice(0, index % urls.length)];
  const cluster = await startCluster({
    mongoUrl: store.mongo.url,
    amqpUrl: urls[0] as string,
    groups: smallGroups(),
    runners: 2,
    environment: { SVC_FAULTS_RUN: directory },
    environmentOf: (_, index) => ({ SVC_MESSAGING__CLUSTER_URLS: from(index).join(',') }),
  });
  const api = await login(cluster.api, cluster.auth);
  return {
    round: (number: number, random: () => number) =>
      brokerClusterRound({ cluster, broker, api, directory }, number, random),
    async close() {
      api.close();
      await cluster.stop();
      await Promise.all([broker.remove(), store.remove()]);
    },
  };
}

interface Setting {
  readonly cluster: Cluster;
  readonly broker: RabbitCluster;
  readonly api: ApiCaller;
  readonly directory: string;
}

/** Kills the node that leads the queue of the action runners under load. It comes back when the load has ended. */
async function brokerClusterRound(
  { cluster, broker, api, directory }: Setting,
  number: number,
  random: () => number,
): Promise<RoundReport> {
  const queue = `${cluster.database}.actionrunner.work`;
  const before = await broker.queue(queue, broker.nodes[0] as TestServer);
  const { leader } = before;
  if (!leader) throw new Error(`no node leads ${queue}`);
  const journal = join(directory, `journal-${number}`);
  const load = startLoad(api, journal, random, PAUSE_MS);
  await wait(500 + random() * 1500);
  load.endAfter(MEANWHILE);
  const killedAt = Date.now();
  await leader.stop('SIGKILL');
  const newWorkMs = await timeOfNewWork(api, killedAt);
  await wait(LONGER_MS);
  await load.stop();
  await cluster.ready();
  const { problems, tookMs, statuses, succeeded } = await settled(api, load.accepted, LIMIT_MS);
  const other = broker.nodes.find((node) => node !== leader) as TestServer;
  const next = (await broker.queue(queue, other)).leader;
  await comeBack(leader, broker, queue);
  const nodes = [leader, next].map((node) => (node ? broker.nodes.indexOf(node) + 1 : 'none'));
  return {
    problems: [
      ...problems,
      ...journalProblems(journal, succeeded),
      ...descendants(directory).map((pid) => `a process of an execution still lives: ${pid}`),
      ...(before.members === broker.nodes.length ? [] : [`the queue has ${before.members} members`]),
      ...(newWorkMs <= LIMIT_MS ? [] : [`new work ended ${newWorkMs} ms after the kill`]),
    ],
    fault: 'kill -9 of the leading node',
    tookMs: newWorkMs,
    line: `node ${nodes[0]} killed, then node ${nodes[1]} leads; new work ended after ${newWorkMs} ms; ${load.accepted.size} accepted, all ended ${tookMs.toFixed(0)} ms after the load: ${JSON.stringify(statuses)}`,
  };
}

/** @returns milliseconds from the kill to the end of an execution that is requested now, by its record */
async function timeOfNewWork(api: ApiCaller, killedAt: number): Promise<number> {
  const { status, body } = await api.call('POST', '/v1/executions', {
    action: 'core.local',
    parameters: { cmd: 'true' },
  });
  if (status !== 201) throw new Error(`the execution was refused with ${status}: ${JSON.stringify(body)}`);
  const { id } = body as { id: string };
  for (;;) {
    const { body: found } = await api.call('GET', `/v1/executions/${id}?include_attributes=status,end_timestamp`);
    const { end_timestamp: end } = found as { end_timestamp?: string };
    if (end !== undefined) return Date.parse(end) - killedAt;
    if (Date.now() - killedAt > BACK_MS) throw new Error(`no new work has ended ${BACK_MS} ms after the kill`);
    await wait(LOOK_MS / 10);
  }
}

async function comeBack(node: TestServer, broker: RabbitCluster, queue: string): Promise<void> {
  await node.start();
  const deadline = Date.now() + BACK_MS;
  while ((await broker.queue(queue, node)).online < broker.nodes.length) {
    if (Date.now() > deadline) throw new Error(`the node is not back in ${queue} after ${BACK_MS} ms`);
    await wait(LOOK_MS);
  }
}
