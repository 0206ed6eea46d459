import {
  captureDestination,
  createLogger,
  createMetrics,
  noMetrics,
  type Metrics,
  type MetricsOptions,
} from '@switchyard/telemetry';
import { leakCheck } from '@switchyard/testkit';
import { statsdReceiver } from '../../src/metrics/statsd-receiver';
import { samplesOf } from './prometheus-samples';
import { statsdListener, type StatsdLine } from './statsd-listener';

const later = leakCheck();

function debugLog() {
  const destination = captureDestination();
  const logger = createLogger({
    service: 'api',
    mask: true,
    maskNames: [],
    outputs: [{ level: 'debug', format: 'json', destination }],
  });
  return {
    logger,
    records: () => destination.lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

function started(options: Partial<MetricsOptions>) {
  const { logger, records } = debugLog();
  const given = { driver: 'noop', host: '127.0.0.1', port: 8125, prefix: null, sample_rate: 1, ...options } as const;
  const metrics = createMetrics(given, logger);
  later(() => metrics.close());
  return { metrics, records };
}

function measure(metrics: Metrics): void {
  metrics.count('{service}.request.total', { service: 'api' });
  metrics.count('http_requests', { service: 'api', operation: 'actions.list', method: 'GET', code: '200' });
  metrics.count('action.executions.{status}', { status: 'running' });
  metrics.time('action.{action}.executions', 12.3456, { action: 'core.local' });
  metrics.time('action.executions.update_status', 2);
  metrics.level('executions.{status}', 3, { status: 'paused' });
  metrics.shift('stream.connections', 1);
  metrics.shift('stream.connections', -1);
}

const wire = ({ name, value, kind }: StatsdLine) => `${name}:${value}|${kind}`;

it('echo logs every measurement under its flat name', () => {
  const { metrics, records } = started({ driver: 'echo', prefix: 'east' });
  measure(metrics);
  expect(records().map(({ type, name, by, durationMs, value }) => [type, name, by ?? durationMs ?? value])).toEqual([
    ['counter', 'svc.east.api.request.total', 1],
    ['counter', 'svc.east.action.executions.running', 1],
    ['counter', 'svc.east.action.core.local.executions', 1],
    ['timer', 'svc.east.action.core.local.executions', 12.3456],
    ['timer', 'svc.east.action.executions.update_status', 2],
    ['gauge', 'svc.east.executions.paused', 3],
    ['gauge', 'svc.east.stream.connections', 1],
    ['gauge', 'svc.east.stream.connections', -1],
  ]);
});

it('noop sends nothing, but the page has the numbers', async () => {
  const { metrics, records } = started({ driver: 'noop' });
  measure(metrics);
  measure(noMetrics);
  expect(records()).toEqual([]);
  expect(metrics.page.contentType).toContain('text/plain');
  const samples = samplesOf(await metrics.page.text());
  const valueOf = (name: string) => samples.filter((sample) => sample.name === name).map(({ value }) => value);
  expect(valueOf('svc_http_requests_total')).toEqual([1]);
  expect(valueOf('svc_action_executions_seconds_sum')).toEqual([0.0123456]);
  expect(valueOf('svc_executions')).toEqual([3]);
  expect(valueOf('svc_stream_connections')).toEqual([0]);
  expect(valueOf('process_resident_memory_bytes')[0]).toBeGreaterThan(0);
});

describe('statsd', () => {
  it('receives names, values and kinds over UDP', async () => {
    const listener = await statsdListener();
    later(listener.close);
    measure(started({ driver: 'statsd', port: listener.port, prefix: 'east' }).metrics);
    expect((await listener.lines.until(8)).map(wire)).toEqual([
      'svc.east.api.request.total:1|c',
      'svc.east.action.executions.running:1|c',
      'svc.east.action.core.local.executions:1|c',
      'svc.east.action.core.local.executions:12.346|ms',
      'svc.east.action.executions.update_status:2|ms',
      'svc.east.executions.paused:3|g',
      'svc.east.stream.connections:+1|g',
      'svc.east.stream.connections:-1|g',
    ]);
  });

  it('receives pending measurements on close, in datagrams that fit into a frame', async () => {
    const listener = await statsdListener();
    later(listener.close);
    const { metrics } = started({ driver: 'statsd', port: listener.port });
    for (let i = 0; i < 500; i++) metrics.count('action.executions.{status}', { status: 'running' });
    await metrics.close();
    const lines = await listener.lines.until(500);
    expect(new Set(lines.map(wire))).toEqual(new Set(['svc.action.executions.running:1|c']));
  });

  it('receives a fraction of counts and times, and all levels, with a sample rate', () => {
    const sent: string[] = [];
    const draws = [0.1, 0.9, 0.2, 0.8];
    const outlet = { send: (line: string) => void sent.push(line) };
    const receiver = statsdReceiver({ prefix: 'svc.', sampleRate: 0.5, outlet, random: () => draws.shift() ?? 1 });
    receiver.counter('a');
    receiver.counter('b');
    receiver.timer('c', 5);
    receiver.timer('d', 5);
    receiver.gauge('e', 1);
    receiver.gaugeDelta('f', -1);
    expect(sent).toEqual(['svc.a:1|c|@0.5', 'svc.c:5|ms|@0.5', 'svc.e:1|g', 'svc.f:-1|g']);
  });

  it('receives labels without characters that are part of the format', async () => {
    const listener = await statsdListener();
    later(listener.close);
    const { metrics } = started({ driver: 'statsd', port: listener.port });
    metrics.count('{service}.request.method.{method}', { service: 'api', method: 'M-SEARCH:1|c\nx' });
    expect((await listener.lines.until(1)).map(wire)).toEqual(['svc.api.request.method.M-SEARCH_1_c_x:1|c']);
  });

  it('logs one line if the host cannot be resolved', async () => {
    const { metrics, records } = started({ driver: 'statsd', host: 'no-such-host.invalid' });
    for (let i = 0; i < 1000; i++) metrics.count('action.executions.{status}', { status: 'running' });
    await metrics.close();
    measure(metrics);
    expect(records()).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('Unable to send metrics to statsd') }),
    ]);
  });

  it('logs nothing and does not wait if the server is down', async () => {
    const listener = await statsdListener();
    listener.close();
    const { metrics, records } = started({ driver: 'statsd', port: listener.port });
    measure(metrics);
    await metrics.close();
    expect(records()).toEqual([]);
  });
});
