import { join } from 'node:path';
import { startCluster } from '../system/cluster-process';
import { login } from '../system/api-caller';
import { missingServer, startRealServers } from '../system/real-servers';
import { startSystem } from '../system/system-process';
import { catalogueShape, writeCatalogue } from './catalogue-packs';
import { cpuSeconds, memory, percentiles } from './measure';

/** A system that can be restarted with its data. */
interface Restartable {
  readonly api: string;
  readonly auth: string;
  readonly directory: string;
  pids(): number[];
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const RESTARTS = 3;
const READS = 20;
const OFFSET = 8000;

/** Registers a large catalogue of packs, reads pages of its actions, and restarts with it. */
export async function catalogueScenario(target: 'embedded' | 'servers', scale: number): Promise<void> {
  const system = await (target === 'embedded' ? embedded() : servers());
  try {
    const shape = catalogueShape(scale);
    writeCatalogue(join(system.directory, 'packs'), shape);
    console.log(
      Object.entries(shape)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', '),
    );
    const rows = [row('empty', system, { seconds: 0, cpu: 0 })];
    rows.push(row('register all', system, await timed(system, () => register(system, shape.actions))));
    rows.push(row('register, unchanged', system, await timed(system, () => register(system, shape.actions))));
    const pages = await readPages(system);
    const restarts: Used[] = [];
    for (let round = 0; round < RESTARTS; round++) restarts.push(await restarted(system));
    const restart = restarts.sort((a, b) => a.seconds - b.seconds)[Math.floor(RESTARTS / 2)] as Used;
    rows.push(row(`restart, median of ${RESTARTS}`, system, restart));
    console.table(rows);
    console.table(pages);
  } finally {
    await system.stop();
  }
}

/** Wall time and processor time. */
interface Used {
  readonly seconds: number;
  readonly cpu: number;
}

const row = (step: string, system: Restartable, { seconds, cpu }: Used) => ({
  step,
  seconds: seconds.toFixed(1),
  cpuSeconds: cpu.toFixed(1),
  nowMb: total(system, (pid) => memory(pid).nowMb),
  peakMb: total(system, (pid) => memory(pid).peakMb),
});

async function timed(system: Restartable, run: () => Promise<void>): Promise<Used> {
  const [start, cpu] = [performance.now(), total(system, cpuSeconds)];
  await run();
  return { seconds: (performance.now() - start) / 1000, cpu: total(system, cpuSeconds) - cpu };
}

/** The processor time of new processes counts from their start. */
async function restarted(system: Restartable): Promise<Used> {
  const kept = new Map(system.pids().map((pid) => [pid, cpuSeconds(pid)]));
  const start = performance.now();
  await system.restart();
  const seconds = (performance.now() - start) / 1000;
  return { seconds, cpu: total(system, (pid) => cpuSeconds(pid) - (kept.get(pid) ?? 0)) };
}

async function register({ api, auth }: Restartable, actions: number): Promise<void> {
  const caller = await login(api, auth);
  try {
    const { status, body } = await caller.call('POST', '/v1/packs/register', {});
    const { failures, actions: registered } = body as { failures?: unknown[]; actions?: number };
    if (status !== 200 || failures !== undefined || (registered ?? 0) < actions)
      throw new Error(`the catalogue was not registered: ${status} ${JSON.stringify(body).slice(0, 1000)}`);
  } finally {
    caller.close();
  }
}

async function readPages({ api, auth }: Restartable) {
  const caller = await login(api, auth);
  const rows = [];
  for (const offset of [0, OFFSET]) {
    const times: number[] = [];
    for (let read = 0; read < READS; read++) {
      const start = performance.now();
      const { status } = await caller.call('GET', `/v1/actions?limit=50&offset=${offset}`);
      if (status !== 200) throw new Error(`the list of actions was refused with ${status}`);
      times.push(performance.now() - start);
    }
    const { p50, p95 } = percentiles(times);
    rows.push({ list: `50 actions from ${offset}`, p50: p50.toFixed(1), p95: p95.toFixed(1) });
  }
  caller.close();
  return rows;
}

async function embedded(): Promise<Restartable> {
  let system = await startSystem();
  const { directory } = system;
  return {
    directory,
    get api() {
      return system.api;
    },
    get auth() {
      return system.auth;
    },
    pids: () => [system.child.pid ?? 0],
    async restart() {
      await system.stop({ keepData: true });
      system = await startSystem({ directory });
    },
    stop: () => system.stop(),
  };
}

async function servers(): Promise<Restartable> {
  const missing = missingServer();
  if (missing !== undefined) throw new Error(`${missing} is needed for --target servers.`);
  const started = await startRealServers();
  const options = { mongoUrl: started.mongo.url, amqpUrl: started.rabbit.url };
  const cluster = await startCluster(options).catch(async (error: unknown) => {
    await started.remove();
    throw error;
  });
  return {
    api: cluster.api,
    auth: cluster.auth,
    directory: cluster.directory,
    pids: () => cluster.services.flatMap(({ child }) => (child?.pid === undefined ? [] : [child.pid])),
    // Only the API registers packs.
    async restart() {
      const api = cluster.services.find(({ name }) => name === 'api');
      await api?.stop();
      api?.start();
      await cluster.ready();
    },
    async stop() {
      await cluster.stop();
      await started.remove();
    },
  };
}

const total = (system: Restartable, of: (pid: number) => number): number =>
  system.pids().reduce((sum, pid) => sum + of(pid), 0);
