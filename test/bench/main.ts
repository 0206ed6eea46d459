// `npm run bench -- [--target embedded|servers] [--runners N] [--scenario noop|local|list|all] [--scale N]`
import { parseArgs } from 'node:util';
import { login, type ApiCaller } from '../system/api-caller';
import { cpuSeconds, memory, percentiles, rawSpawn } from './measure';
import { runJobs, type Job } from './submit';
import { embeddedTarget, serversTarget, type Target } from './target';

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

const SUBMITTERS = 20;

async function runScenario(system: Target, api: ApiCaller, name: string, job: Job, count: number): Promise<Row[]> {
  await runJobs(api, job, Math.ceil(count / 10), SUBMITTERS);
  return [
    await measured(system, `${name}, idle`, 1, () => runJobs(api, job, Math.max(20, Math.ceil(count / 10)), 1)),
    await measured(system, name, SUBMITTERS, () => runJobs(api, job, count, SUBMITTERS)),
  ];
}

async function listScenario(system: Target, api: ApiCaller, scale: number): Promise<Row[]> {
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

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: 'embedded' },
      runners: { type: 'string', default: '1' },
      scenario: { type: 'string', default: 'all' },
      scale: { type: 'string', default: '1' },
    },
  });
  const runners = Number(values.runners);
  if (!Number.isInteger(runners) || runners < 1)
    throw new Error(`--runners: expected a whole number, got "${values.runners}"`);
  const targets: Record<string, () => Promise<Target>> = {
    embedded: embeddedTarget,
    servers: () => serversTarget(runners),
  };
  const open = targets[values.target];
  if (!open) throw new Error(`--target: expected ${Object.keys(targets).join(' or ')}, got "${values.target}"`);
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error(`--scale: expected a number above 0, got "${values.scale}"`);
  const scenarios: Record<string, (system: Target, api: ApiCaller) => Promise<Row[]>> = {
    noop: (system, api) => runScenario(system, api, 'noop', { action: 'core.noop' }, Math.ceil(3000 * scale)),
    local: (system, api) =>
      runScenario(
        system,
        api,
        'local echo',
        { action: 'core.local', parameters: { cmd: 'echo hello' } },
        Math.ceil(600 * scale),
      ),
    list: (system, api) => listScenario(system, api, scale),
  };
  const chosen = values.scenario === 'all' ? Object.keys(scenarios) : [values.scenario];
  const unknown = chosen.find((name) => !scenarios[name]);
  if (unknown !== undefined)
    throw new Error(`--scenario: expected one of ${Object.keys(scenarios).join(', ')}, all; got "${unknown}"`);

  const raw = await rawSpawn(100);
  const system = await open();
  try {
    const api = await login(system.api, system.auth);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    console.log(
      `idle memory: ${total(system, (pid) => memory(pid).nowMb)} MB; raw "sh -c" spawn: p50 ${ms(raw.p50)} ms, p95 ${ms(raw.p95)} ms`,
    );
    for (const name of chosen) {
      const rows = (await scenarios[name]?.(system, api)) ?? [];
      console.table(rows);
      if (name === 'local')
        console.log(
          `ratio of an idle local echo to the raw spawn, p50: ${(Number(rows[0]?.p50) / raw.p50).toFixed(1)}`,
        );
    }
    api.close();
  } finally {
    await system.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
