import { login, type ApiCaller } from '../system/api-caller';
import { startCluster, type Cluster, type ServiceProcess } from '../system/cluster-process';
import { startRealServers } from '../system/real-servers';
import { startSystem } from '../system/system-process';
import type { RoundReport } from './round-report';
import { createBurst, type Burst } from './webhook-burst';
import { burstOutcome, listen, outstanding, untilDealtWith, type BurstListener } from './webhook-checks';

/** The time limit for everything, including the burst itself on a busy machine. */
const LIMIT_MS = 180_000;
const AWAY_MS = 1500;
/** The time after which a wrong recovery by the sweep would show. */
const SWEPT_MS = 8000;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface WebhookRound {
  readonly number: number;
  /** The number of events. */
  readonly scale: number;
  readonly random: () => number;
}

/** A random point in the middle of the burst. */
const momentOf = ({ scale, random }: WebhookRound): number => Math.ceil(scale * (0.1 + 0.8 * random()));

/** Kills the whole system in the middle of a burst, restarts it on its directory, and sends the rest. */
export async function embeddedWebhookRound(directory: string, round: WebhookRound): Promise<RoundReport> {
  const first = await startSystem({ directory });
  const before = await login(first.api, first.auth);
  const listener = await listen(before, `burst-${round.number}`);
  const burst = createBurst(round.scale);
  const kill = burst.reached(momentOf(round)).then(() => first.stop({ signal: 'SIGKILL', keepData: true }));
  await Promise.all([burst.send(before, listener.hook), kill]);
  before.close();
  const cut = `${burst.answered.size} answered`;

  const second = await startSystem({ directory });
  const upAt = performance.now();
  const after = await login(second.api, second.auth);
  await burst.send(after, listener.hook);
  const report = await judge(after, listener, burst, upAt);
  after.close();
  await second.stop({ keepData: true });
  return { ...report, fault: 'kill -9 of everything', line: `killed with ${cut}; ${report.line}` };
}

/** Kills the rules engine in the middle of a burst and restarts it a moment later. */
export async function clusterWebhookRound(cluster: Cluster, api: ApiCaller, round: WebhookRound): Promise<RoundReport> {
  const engine = cluster.services.find(({ name }) => name === 'rules-engine') as ServiceProcess;
  const listener = await listen(api, `burst-${round.number}`);
  const burst = createBurst(round.scale);
  const [moment, awayMs] = [momentOf(round), round.random() * AWAY_MS];
  let upAt = 0;
  let cut = '';
  const kill = async () => {
    await burst.reached(moment);
    await engine.stop('SIGKILL');
    const { pending, processing } = await outstanding(api, listener);
    cut = `${burst.answered.size} answered, ${processing} in its hands, ${pending} waiting`;
    await wait(awayMs);
    engine.start();
    upAt = performance.now();
  };
  await Promise.all([burst.send(api, listener.hook), kill()]);
  const report = await judge(api, listener, burst, upAt);
  return { ...report, fault: 'kill -9 rules-engine', line: `killed with ${cut}; ${report.line}` };
}

type Judgement = Pick<RoundReport, 'problems' | 'line' | 'tookMs'>;

async function judge(api: ApiCaller, listener: BurstListener, burst: Burst, upAt: number): Promise<Judgement> {
  const open = await untilDealtWith(api, listener, LIMIT_MS);
  const tookMs = performance.now() - upAt;
  await wait(SWEPT_MS);
  const { problems, statuses } = await burstOutcome(api, listener, burst);
  const { answered, unanswered } = burst;
  return {
    problems: [...open, ...problems],
    tookMs,
    line: `${answered.size} answered and ${unanswered.size} not in all, dealt with ${tookMs.toFixed(0)} ms after the start: ${JSON.stringify(statuses)}`,
  };
}

/** Separate processes on real servers. */
export async function openServerWebhookRounds() {
  const servers = await startRealServers();
  const cluster = await startCluster({ mongoUrl: servers.mongo.url, amqpUrl: servers.rabbit.url });
  const api = await login(cluster.api, cluster.auth);
  return {
    round: (round: WebhookRound) => clusterWebhookRound(cluster, api, round),
    async close() {
      api.close();
      await cluster.stop();
      await servers.remove();
    },
  };
}
