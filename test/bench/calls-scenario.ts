import type { ApiCaller } from '../system/api-caller';
import { settled, type Bench } from './bench';
import { NOOP } from './job-scenarios';
import { SUBMITTERS } from './load';
import type { Measurement } from './measurement';
import { runJobs } from './submit';
import { localOf } from './target';
import type { ServiceCalls } from './service-calls';

const NOOPS = 1000;
const IDLE_SECONDS = 5;

/** Store calls and messages of each service for one noop under load, and without load, counted on the connections. */
export async function callsScenario(bench: Bench): Promise<Measurement[]> {
  const { api, scale } = bench;
  const counted = localOf(bench.system).calls;
  if (counted === undefined) throw new Error('Calls are counted on servers only.');
  const count = Math.ceil(NOOPS * scale);
  await runJobs(api, NOOP, Math.ceil(count / 10), SUBMITTERS);
  await settled();
  counted();
  await settled(IDLE_SECONDS * 1000);
  const idle = counted();
  const { reads, ...counting } = countingReads(api);
  await runJobs(counting, NOOP, count, SUBMITTERS);
  const under = counted();
  withoutReads(under, reads());
  printCommands(bench.system.label, under, count);
  return withSum(under.map((calls, index) => measurementOf(calls, idle[index], count)));
}

/** The reader of the bench requests lists, each with a count. */
function countingReads(api: ApiCaller): ApiCaller & { reads(): number } {
  let reads = 0;
  return {
    ...api,
    async call(method, path, body) {
      if (method === 'GET') reads++;
      return api.call(method, path, body);
    },
    reads: () => reads,
  };
}

const OF_A_READ = ['find executions', 'aggregate executions'];

function withoutReads(calls: readonly ServiceCalls[], reads: number): void {
  const store = calls.find(({ service }) => service.split(',').includes('api'))?.store;
  for (const name of OF_A_READ) store?.set(name, Math.max(0, (store.get(name) ?? 0) - reads));
}

const measurementOf = (
  { service, store, broker }: ServiceCalls,
  idle: ServiceCalls | undefined,
  count: number,
): Measurement => ({
  what: `calls of ${service}`,
  figures: {
    'store, each': sumOf(store) / count,
    'published, each': (broker.get('publish') ?? 0) / count,
    'delivered, each': (broker.get('deliver') ?? 0) / count,
    'store, idle per second': sumOf(idle?.store ?? new Map()) / IDLE_SECONDS,
  },
});

function withSum(measurements: readonly Measurement[]): Measurement[] {
  const figures: Record<string, number> = {};
  for (const each of measurements)
    for (const [name, value] of Object.entries(each.figures)) figures[name] = (figures[name] ?? 0) + value;
  return [...measurements, { what: 'calls of all services', figures }];
}

function printCommands(label: string, calls: readonly ServiceCalls[], count: number): void {
  for (const { service, store } of calls) {
    const commands = [...store].map(([name, times]) => `${name} ${(times / count).toFixed(2)}`);
    if (commands.length > 0) console.log(`${label}, ${service}: ${commands.join(', ')}`);
  }
}

const sumOf = (calls: ReadonlyMap<string, number>): number =>
  [...calls.values()].reduce((sum, times) => sum + times, 0);
