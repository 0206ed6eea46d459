import { login, type ApiCaller } from '../../system/api-caller';
import { startCluster, type Cluster } from '../../system/cluster-process';
import { startRealServers } from '../../system/real-servers';
import { startSystem, type SystemProcess } from '../../system/system-process';
import { descendants } from '../checks';
import type { RoundReport } from '../embedded-round';
import { Chance } from './chance';
import { compare, longestStall, type Submitted } from './compare';
import { installWorkflows } from './install';
import { randomWorkflows, type RandomWorkflow } from './random-workflows';

/** After the last fault everything has to have ended within this time, and a while more for each workflow. */
const SETTLE_MS = 60_000;
const EACH_MS = 1000;
const LOOK_MS = 200;
const SUBMITTERS = 8;
const KILL_EVERY_MS = 1000;
const KILLED = ['workflow-engine', 'action-runner', 'scheduler'];

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Kills have an end on a machine that does not get on between them. */
const mostKills = (workflows: readonly unknown[]): number => 8 + workflows.length;

/** @param scale how many workflows run in each round @param seed of the workflows */
export function openEmbeddedWorkflowRounds(directory: string, scale: number, seed: number) {
  const workflows = randomWorkflows(scale, seed);
  return Promise.resolve({
    round: (_: number, random: () => number) => embeddedRound(directory, workflows, new Chance(random)),
    close: () => Promise.resolve(),
  });
}

/** Kills the whole system again and again while workflows run. */
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

/** Separate processes on real servers. @param scale how many workflows run in each round @param seed of the workflows */
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

/** Kills an engine, a runner or the scheduler every second while workflows run, and starts it again. */
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

async function submitAll(api: ApiCaller, workflows: readonly RandomWorkflow[]): Promise<Submitted[]> {
  const waiting = [...workflows];
  const submitted: Submitted[] = [];
  const submitter = async () => {
    for (let workflow = waiting.shift(); workflow; workflow = waiting.shift()) {
      const { status, body } = await api.call('POST', '/v1/executions', { action: workflow.ref });
      if (status !== 201) throw new Error(`a workflow was refused with ${status}: ${JSON.stringify(body)}`);
      submitted.push({ workflow, id: body.id as string });
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitter));
  return submitted;
}

const ENDED = ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled'];

async function stillOpen(api: ApiCaller, submitted: readonly Submitted[]): Promise<Submitted[]> {
  const open: Submitted[] = [];
  for (const each of submitted) {
    const { body } = await api.call('GET', `/v1/executions/${each.id}?include_attributes=status`);
    if (!ENDED.includes((body as { status: string }).status)) open.push(each);
  }
  return open;
}

interface Happened {
  /** When something was killed. */
  kills: readonly number[];
  /** Marks the processes of this run. */
  directory: string;
}

type Judgement = Omit<RoundReport, 'fault'>;

async function judge(api: ApiCaller, submitted: Submitted[], { kills, directory }: Happened): Promise<Judgement> {
  const deadline = Date.now() + SETTLE_MS + EACH_MS * submitted.length;
  let open = await stillOpen(api, submitted);
  while (open.length > 0 && Date.now() < deadline) {
    await wait(LOOK_MS);
    open = await stillOpen(api, open);
  }
  const comparisons = [];
  for (const each of submitted) if (!open.includes(each)) comparisons.push(await compare(api, each));
  const problems = [
    ...open.map(({ workflow, id }) => `${workflow.ref} ${id}: has not ended`),
    ...comparisons.flatMap(({ problems }) => problems),
    ...descendants(directory).map((pid) => `a process of an execution still lives: ${pid}`),
  ];
  const [begin, end] = [Math.min(...times(comparisons, 0)), Math.max(...times(comparisons, -1))];
  const actions = comparisons.reduce((sum, comparison) => sum + comparison.actions, 0);
  const tookMs = Math.max(0, end - (kills.at(-1) ?? end));
  const line =
    `${submitted.length} workflows with ${actions} actions in ${end - begin} ms, ${kills.length} kills; ` +
    `${longestStall(kills, comparisons)} ms at most from a kill to the next step of a workflow`;
  return { problems, tookMs, line };
}

const times = (comparisons: readonly { times: number[] }[], at: number): number[] =>
  comparisons.flatMap((comparison) => comparison.times.at(at) ?? []);
