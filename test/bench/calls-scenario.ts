import type { ApiCaller } from '../system/api-caller';
import { settled, type Bench } from './bench';
import { withActions } from './actions-over-http';
import { ECHO, NOOP } from './job-scenarios';
import { SUBMITTERS } from './load';
import type { Measurement } from './measurement';
import { greet, ofPython } from './python-action';
import { runJobs, type Submission } from './submit';
import { localOf } from './target';
import type { ServiceCalls } from './service-calls';
import { ofWebhook, withWebhookRule } from './webhook';
import { chain, ofWorkflow, withWorkflows } from './workflows';

const NOOPS = 1000;
const COMMANDS = 500;
const PYTHON_RUNS = 400;
const WORKFLOWS = 200;
const WEBHOOKS = 500;
const IDLE_SECONDS = 5;

/** Store calls and messages of each service, counted on the connections: without load, and for each kind of work. */
export async function callsScenario(bench: Bench): Promise<Measurement[]> {
  const counted = localOf(bench.system).calls;
  if (counted === undefined) throw new Error('Calls are counted on servers only.');
  const steps = chain(3);
  await withWorkflows(bench, [steps]);
  await withWebhookRule(bench);
  await withActions(bench, [greet]);
  await settled();
  counted();
  await settled(IDLE_SECONDS * 1000);
  const idle = counted().map(({ service, store }): Measurement => ({
    what: `calls of ${service}, idle`,
    figures: { 'store, per second': sumOf(store) / IDLE_SECONDS },
  }));
  return [
    ...withSum(idle, 'all services, idle'),
    ...(await callsFor(bench, counted, { what: 'noop', job: NOOP, count: NOOPS })),
    ...(await callsFor(bench, counted, { what: 'local echo', job: ECHO, count: COMMANDS })),
    ...(await callsFor(bench, counted, { what: 'Python, warm', job: ofPython('warm'), count: PYTHON_RUNS })),
    ...(await callsFor(bench, counted, { what: 'three steps', job: ofWorkflow(steps), count: WORKFLOWS })),
    ...(await callsFor(bench, counted, { what: 'webhook', job: ofWebhook(), count: WEBHOOKS })),
  ];
}

interface CountedJob {
  readonly what: string;
  readonly job: Submission;
  readonly count: number;
}

/** The calls for one job, while several submitters request it. */
async function callsFor(
  { api, scale, system }: Bench,
  counted: () => ServiceCalls[],
  { what, job, count: full }: CountedJob,
): Promise<Measurement[]> {
  const count = Math.ceil(full * scale);
  await runJobs(api, job, Math.ceil(count / 10), SUBMITTERS);
  await settled();
  counted();
  const { reads, ...counting } = countingReads(api);
  await runJobs(counting, job, count, SUBMITTERS);
  const under = counted();
  withoutReads(under, reads());
  printCommands(`${system.label}, ${what}`, under, count);
  return withSum(
    under.map((calls) => measurementOf(what, calls, count)),
    `all services, ${what}`,
  );
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

const measurementOf = (what: string, { service, store, broker }: ServiceCalls, count: number): Measurement => ({
  what: `calls of ${service}, ${what}`,
  figures: {
    'store, each': sumOf(store) / count,
    'published, each': (broker.get('publish') ?? 0) / count,
    'delivered, each': (broker.get('deliver') ?? 0) / count,
  },
});

function withSum(measurements: readonly Measurement[], what: string): Measurement[] {
  const figures: Record<string, number> = {};
  for (const each of measurements)
    for (const [name, value] of Object.entries(each.figures)) figures[name] = (figures[name] ?? 0) + value;
  return [...measurements, { what: `calls of ${what}`, figures }];
}

function printCommands(label: string, calls: readonly ServiceCalls[], count: number): void {
  for (const { service, store } of calls) {
    const commands = [...store].map(([name, times]) => `${name} ${(times / count).toFixed(2)}`);
    if (commands.length > 0) console.log(`${label}, ${service}: ${commands.join(', ')}`);
  }
}

const sumOf = (calls: ReadonlyMap<string, number>): number =>
  [...calls.values()].reduce((sum, times) => sum + times, 0);
