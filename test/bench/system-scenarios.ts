import { login, type ApiCaller } from '../system/api-caller';
import { cpuSeconds, memory, percentiles, rawSpawn } from './measure';
import { interpreterStart, ofPython, withPythonPack } from './python-pack';
import { ofJob, runJobs, type Submission } from './submit';
import { withSshServer } from './ssh-server';
import type { Target } from './target';
import { ofWebhook, withWebhookRule } from './webhook';
import { chain, ofWorkflow, withWorkflowPack, workflowShapes } from './workflow-pack';

interface Row {
  scenario: string;
  submitters: number;
  count: number;
  perSecond: string;
  p50: string;
  p95: string;
  p99: string;
  peakMb: number;
  cpuPer1000: string;
}

/** A running system with a logged-in caller. */
interface Bench {
  readonly system: Target;
  readonly api: ApiCaller;
  readonly scale: number;
}

const SUBMITTERS = 20;

const SCENARIOS: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  noop: (bench) => jobScenario(bench, 'noop', ofJob({ action: 'core.noop' }), 3000),
  local: (bench) =>
    jobScenario(bench, 'local echo', ofJob({ action: 'core.local', parameters: { cmd: 'echo hello' } }), 600),
  list: listScenario,
  python: pythonScenario,
  ssh: sshScenario,
  webhook: async (bench) => {
    await withWebhookRule(bench.api);
    return jobScenario(bench, 'webhook', ofWebhook(), 2000);
  },
  workflow: workflowScenario,
};

export const SYSTEM_SCENARIOS: readonly string[] = Object.keys(SCENARIOS);

/** Starts a system, runs the named scenarios on it and stops it. */
export async function runOnSystem(open: () => Promise<Target>, names: readonly string[], scale: number): Promise<void> {
  const raw = await rawSpawn(100);
  const system = await open();
  try {
    const api = await login(system.api, system.auth);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    console.log(
      `idle memory: ${total(system, (pid) => memory(pid).nowMb)} MB; raw "sh -c" spawn: p50 ${ms(raw.p50)} ms, p95 ${ms(raw.p95)} ms`,
    );
    for (const name of names) {
      const rows = (await SCENARIOS[name]?.({ system, api, scale })) ?? [];
      console.table(rows);
      if (name === 'local') printRatio(rows, raw.p50);
    }
    api.close();
  } finally {
    await system.stop();
  }
}

const printRatio = ([idle]: readonly Row[], raw: number): void =>
  console.log(`ratio of an idle local echo to the raw spawn, p50: ${(Number(idle?.p50) / raw).toFixed(1)}`);

async function jobScenario({ system, api, scale }: Bench, name: string, job: Submission, most: number): Promise<Row[]> {
  const count = Math.ceil(most * scale);
  await runJobs(api, job, Math.ceil(count / 10), SUBMITTERS);
  return [
    await measured(system, `${name}, idle`, 1, () => runJobs(api, job, Math.max(20, Math.ceil(count / 10)), 1)),
    await measured(system, name, SUBMITTERS, () => runJobs(api, job, count, SUBMITTERS)),
  ];
}

/** Measures a trivial action in a warm worker and in its own interpreter, and a noop for comparison. */
async function pythonScenario(bench: Bench): Promise<Row[]> {
  const { system, api, scale } = bench;
  await withPythonPack(system.directory, api);
  const rounds = Math.max(20, Math.ceil(60 * scale));
  const noop = ofJob({ action: 'core.noop' });
  const rows = [
    await measured(system, 'noop, idle', 1, () => runJobs(api, noop, rounds, 1)),
    ...(await jobScenario(bench, 'python, warm', ofPython('warm'), 1500)),
    ...(await jobScenario(bench, 'python, isolated', ofPython('isolated'), 150)),
  ];
  const [floor, warm, , isolated] = rows.map(({ p50 }) => Number(p50));
  const over = (value = 0) => ms(value - (floor ?? 0));
  const { bare, named } = await interpreterStart(rounds);
  console.log(`what Python adds to an idle execution, p50: warm ${over(warm)} ms, isolated ${over(isolated)} ms`);
  console.log(`the bare interpreter, p50: ${ms(bare)} ms; as it is found on the path: ${ms(named)} ms`);
  return rows;
}

/** Measures a command on this machine over SSH; all but the first run reuse the connection. */
async function sshScenario(bench: Bench): Promise<Row[]> {
  const ssh = await withSshServer(bench.api);
  if (ssh === undefined) return [];
  try {
    return await jobScenario(bench, 'remote echo', ofJob(ssh.job), 600);
  } finally {
    await ssh.stop();
  }
}

/** Measures workflows of three steps, one and many at a time, then growing workflows one at a time. */
async function workflowScenario(bench: Bench): Promise<Row[]> {
  const { system, api, scale } = bench;
  const [steps, shapes] = [chain(3), workflowShapes(scale)];
  await withWorkflowPack(system.directory, api, [steps, ...shapes]);
  const rows = await jobScenario(bench, 'three steps', ofWorkflow(steps), 600);
  const growth = [];
  for (const shape of shapes) {
    const rounds = Math.max(1, Math.ceil((1000 / shape.actions) * scale));
    const row = await measured(system, shape.name, 1, () => runJobs(api, ofWorkflow(shape), rounds, 1));
    rows.push(row);
    const [millis, cpu] = [Number(row.p50) / shape.actions, Number(row.cpuPer1000) / shape.actions];
    growth.push({ workflow: shape.name, actions: shape.actions, msPerAction: ms(millis), cpuMsPerAction: ms(cpu) });
  }
  console.table(growth);
  return rows;
}

async function listScenario({ system, api, scale }: Bench): Promise<Row[]> {
  await runJobs(api, ofJob({ action: 'core.noop' }), Math.ceil(1000 * scale), SUBMITTERS);
  const list = async (readers: number, count: number) => {
    const times: number[] = [];
    const read = async () => {
      while (times.length < count) {
        const start = performance.now();
        await api.call('GET', '/v1/executions?limit=50');
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: readers }, read));
    return times;
  };
  return [
    await measured(system, 'list of 50, idle', 1, () => list(1, Math.ceil(100 * scale))),
    await measured(system, 'list of 50', 4, () => list(4, Math.ceil(400 * scale))),
  ];
}

const ms = (value: number): string => value.toFixed(1);

/** Takes one measurement: latencies, throughput, and what the system under test used. */
async function measured(
  target: Target,
  scenario: string,
  submitters: number,
  run: () => Promise<number[]>,
): Promise<Row> {
  const cpu = total(target, cpuSeconds);
  const start = performance.now();
  const times = await run();
  const seconds = (performance.now() - start) / 1000;
  const { p50, p95, p99 } = percentiles(times);
  return {
    scenario,
    submitters,
    count: times.length,
    perSecond: (times.length / seconds).toFixed(0),
    p50: ms(p50),
    p95: ms(p95),
    p99: ms(p99),
    peakMb: total(target, (pid) => memory(pid).peakMb),
    cpuPer1000: (((total(target, cpuSeconds) - cpu) / times.length) * 1000).toFixed(2),
  };
}

/** The sum over all processes of the system. */
const total = (target: Target, of: (pid: number) => number): number =>
  target.pids().reduce((sum, pid) => sum + of(pid), 0);
