import { login, type ApiCaller } from '../system/api-caller';
import { cpuSeconds, memory, percentiles, rawSpawn } from './measure';
import { runJobs, type Job } from './submit';
import type { Target } from './target';

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

/** A system that runs, with a caller that is logged in. */
interface Bench {
  readonly system: Target;
  readonly api: ApiCaller;
  readonly scale: number;
}

const SUBMITTERS = 20;

const SCENARIOS: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  noop: (bench) => jobScenario(bench, 'noop', { action: 'core.noop' }, 3000),
  local: (bench) => jobScenario(bench, 'local echo', { action: 'core.local', parameters: { cmd: 'echo hello' } }, 600),
  list: listScenario,
};

export const SYSTEM_SCENARIOS: readonly string[] = Object.keys(SCENARIOS);

/** Starts a system, measures what is named on it and stops it. */
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

async function jobScenario({ system, api, scale }: Bench, name: string, job: Job, most: number): Promise<Row[]> {
  const count = Math.ceil(most * scale);
  await runJobs(api, job, Math.ceil(count / 10), SUBMITTERS);
  return [
    await measured(system, `${name}, idle`, 1, () => runJobs(api, job, Math.max(20, Math.ceil(count / 10)), 1)),
    await measured(system, name, SUBMITTERS, () => runJobs(api, job, count, SUBMITTERS)),
  ];
}

async function listScenario({ system, api, scale }: Bench): Promise<Row[]> {
  await runJobs(api, { action: 'core.noop' }, Math.ceil(1000 * scale), SUBMITTERS);
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

/** One measurement: how many at a time, what came out, and what the process under test used for it. */
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

/** Of all processes of the product together. */
const total = (target: Target, of: (pid: number) => number): number =>
  target.pids().reduce((sum, pid) => sum + of(pid), 0);
