import { createHealthServer } from '@switchyard/host';
import { metricTable, type MetricName, type MetricRow } from '@switchyard/telemetry';
import { eventually, leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { flatName, labelsOf } from '../../src/metrics/metric-table';
import { samplesOf, type Sample } from './prometheus-samples';
import { statsdListener, type StatsdLine, type StatsdListener } from './statsd-listener';

const later = leakCheck();

async function measuredSystem(): Promise<{ system: TestSystem; listener: StatsdListener }> {
  const listener = await statsdListener();
  later(listener.close);
  const system = await startSystem({
    overrides: { metrics: { driver: 'statsd', port: listener.port, prefix: 'east' } },
    runners: [{ slots: 4 }],
  });
  later(() => system.close());
  await system.register();
  return { system, listener };
}

/** The page as a Prometheus server receives it. */
async function scrape({ platform }: TestSystem): Promise<Sample[]> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await once(free.close(), 'close');
  const report = () => ({ live: true, ready: true, checks: {} });
  const server = createHealthServer({ host: '127.0.0.1', port, report, page: platform.metrics.page });
  await server.start();
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } });
  const text = await answer.text();
  await server.stop();
  return samplesOf(text);
}

/** What a statsd server computes from its lines: counts of counters and timers, and levels, by name and kind. */
function tally(lines: readonly StatsdLine[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { name, value, kind } of lines) {
    const key = `${name}|${kind}`;
    const known = totals.get(key) ?? 0;
    if (kind === 'ms') totals.set(key, known + 1);
    else totals.set(key, kind === 'c' || /^[+-]/.test(value) ? known + Number(value) : Number(value));
  }
  return totals;
}

const KINDS: Record<MetricRow['kind'], { suffix: string; wire: string[] }> = {
  counter: { suffix: '', wire: ['c'] },
  timer: { suffix: '_count', wire: ['ms'] },
  'counted timer': { suffix: '_count', wire: ['c', 'ms'] },
  gauge: { suffix: '', wire: ['g'] },
};

/** The numbers that statsd should have, according to a page. */
function expectedTally(samples: readonly Sample[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const metric of Object.keys(metricTable) as MetricName[]) {
    const row: MetricRow = metricTable[metric];
    if (row.prometheus === undefined || row.labels) continue;
    const { suffix, wire } = KINDS[row.kind];
    for (const { name, labels, value } of samples) {
      if (name !== row.prometheus + suffix) continue;
      // A measurement without labels starts at zero.
      if (labelsOf(metric).length === 0 && value === 0 && row.kind !== 'gauge') continue;
      for (const kind of wire) totals.set(`svc.east.${flatName(metric, labels)}|${kind}`, value);
    }
  }
  return totals;
}

/** Rows that are sums of others on the page. */
const SUMS = /\.(action\.executions|amqp\.publish\.\w+)\|/;

it('counts the steps of an execution once, equally for statsd and for the page', async () => {
  const { system, listener } = await measuredSystem();
  const record = await system.request({ notify: { 'on-complete': { routes: ['a', 'b'] } } });
  (await system.manual.runOf(record._id)).end({ status: 'succeeded', result: {} });
  await system.untilStatus(record._id);
  await eventually(
    async () => !(await system.platform.store.executions.get(record._id))?.due,
    () => 'the notifier to finish',
  );
  await system.stopServices();
  await system.platform.metrics.close();
  const expected = expectedTally(await scrape(system));
  const received = await eventually(
    () => {
      const now = tally(listener.lines.items);
      return [...expected].every(([key, value]) => (now.get(key) ?? 0) === value) && now;
    },
    () => `${JSON.stringify([...expected])}\n${JSON.stringify([...tally(listener.lines.items)])}`,
  );
  const happenedOnce = [
    'action.executions',
    'action.tests.action.executions',
    'action.executions.process.scheduled',
    'scheduler.handle_execution',
    'notifier.action.executions',
    'notifier.notify_trigger.post',
  ];
  const counts = Object.fromEntries(received);
  for (const name of happenedOnce)
    expect([name, counts[`svc.east.${name}|c`], counts[`svc.east.${name}|ms`]]).toEqual([name, 1, 1]);
  for (const status of ['requested', 'scheduled', 'running', 'succeeded'])
    expect([status, counts[`svc.east.action.executions.${status}|c`]]).toEqual([status, 1]);
  expect(counts).toMatchObject({
    'svc.east.notifier.notify_trigger.dispatch|c': 2,
    'svc.east.notifier.transform_message|ms': 1,
    'svc.east.action.executions.update_status|ms': 1,
    'svc.east.actionrunner.slots.used|g': 0,
    'svc.east.actionrunner.slots.total|g': 0,
  });
  expect(counts['svc.east.amqp.publish.create|ms']).toBeGreaterThan(0);
  const exchange = `svc.east.amqp.pool_publisher.publish_with_retries.${system.platform.config.messaging.prefix}.execution|ms`;
  expect(counts[exchange]).toBeGreaterThan(0);
  // Nothing else was sent, and all lines were valid.
  expect([...received.keys()].filter((key) => !expected.has(key) && !SUMS.test(key))).toEqual([]);
});

it('reports how many executions and slots are in use', async () => {
  const { system } = await measuredSystem();
  const record = await system.request();
  const run = await system.manual.runOf(record._id);
  const levels = async () => {
    const samples = await scrape(system);
    const valueOf = (name: string, status?: string) =>
      samples.find((sample) => sample.name === name && sample.labels['status'] === status)?.value;
    return [
      valueOf('svc_actionrunner_slots'),
      valueOf('svc_actionrunner_slots_used'),
      valueOf('svc_executions', 'running'),
      valueOf('svc_executions', 'requested'),
    ];
  };
  // A scheduler counts executions when it starts.
  await system.addScheduler();
  await eventually(
    async () => (await levels()).join() === '4,1,1,0',
    () => 'the levels of one running execution',
  );
  run.end({ status: 'succeeded', result: {} });
  await system.untilStatus(record._id);
  await eventually(
    async () => (await levels())[1] === 0,
    () => 'the slot to be free',
  );
});
