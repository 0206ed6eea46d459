import { settled, type Bench } from './bench';
import { NOOP } from './job-scenarios';
import { SUBMITTERS } from './load';
import { median, type Measurement } from './measurement';
import { treeCpuSeconds, treePssMb } from './process-tree';
import { runJobs } from './submit';
import { localOf, type BenchedProcess, type ProcessStart } from './target';

/** After a start or a load, until caches are read and the garbage collector has run on its own. */
const REST_MS = 10_000;
const NOOPS = 100_000;
const STARTS = 3;
const IDLE_SECONDS = 60;
const FEWEST_IDLE_SECONDS = 3;

/** The memory of a fresh system, and the same after many executions: descendants included, store and broker not. */
export async function memoryAround(bench: Bench, what: string, load: () => Promise<unknown>): Promise<Measurement[]> {
  await bench.restart();
  await settled(REST_MS);
  const before = ofEach(bench, ({ pid }) => treePssMb([pid]));
  await load();
  await settled(REST_MS);
  const after = ofEach(bench, ({ pid }) => treePssMb([pid]));
  return withTotal(before).map(([name, idle]) => {
    const later = withTotal(after).find(([same]) => same === name)?.[1] ?? Number.NaN;
    return {
      what: `memory, ${name}`,
      figures: { 'PSS MB, idle': idle, [`PSS MB, after ${what}`]: later, growth: later / idle },
    };
  });
}

/** 100,000 executions at scale 1. */
export const memoryScenario = (bench: Bench): Promise<Measurement[]> => {
  const count = Math.ceil(NOOPS * bench.scale);
  return memoryAround(bench, 'noops', () => runJobs(bench.api, NOOP, count, SUBMITTERS));
};

/** The CPU time of an idle system, in percent of one processor. */
export async function idleScenario(bench: Bench): Promise<Measurement[]> {
  await bench.restart();
  await settled(REST_MS);
  const seconds = Math.max(FEWEST_IDLE_SECONDS, IDLE_SECONDS * bench.scale);
  const [before, start] = [ofEach(bench, ({ pid }) => treeCpuSeconds([pid])), performance.now()];
  await settled(seconds * 1000);
  const [after, lasted] = [ofEach(bench, ({ pid }) => treeCpuSeconds([pid])), (performance.now() - start) / 1000];
  const used = after.map(([name, cpu], index): [string, number] => [name, cpu - (before[index]?.[1] ?? 0)]);
  return withTotal(used).map(([name, cpu]) => ({
    what: `CPU while idle, ${name}`,
    figures: { '% of a core': (100 * cpu) / lasted },
  }));
}

/** Starts with existing data: until the self-check has passed, and on servers until each service is ready. */
export async function startScenario(bench: Bench): Promise<Measurement[]> {
  const starts: ReadonlyMap<string, ProcessStart>[] = [];
  const rounds = Math.max(1, Math.round(STARTS * bench.scale));
  for (let round = 0; round < rounds; round++) starts.push(await bench.restart());
  await settled(REST_MS);
  const memory = new Map(ofEach(bench, ({ pid }) => treePssMb([pid])));
  return [...(starts[0]?.keys() ?? [])].map((name) => ({
    what: `second start, ${name}`,
    figures: {
      seconds: median(starts.map((each) => each.get(name)?.seconds ?? Number.NaN)),
      'CPU s': median(starts.map((each) => each.get(name)?.cpuSeconds ?? Number.NaN)),
      'PSS MB, idle': memory.get(name) ?? Number.NaN,
    },
  }));
}

const ofEach = ({ system }: Bench, measure: (process: BenchedProcess) => number): [string, number][] =>
  localOf(system).processes.map((process) => [process.name, measure(process)]);

/** With their sum at the end, if there are several. */
function withTotal(values: readonly [string, number][]): [string, number][] {
  if (values.length === 1) return [...values];
  return [...values, ['all services', values.reduce((sum, [, value]) => sum + value, 0)]];
}
