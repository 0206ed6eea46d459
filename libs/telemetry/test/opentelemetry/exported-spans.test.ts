import { setTimeout as delay } from 'node:timers/promises';
import {
  captureDestination,
  carrierOf,
  createLogger,
  createMetrics,
  inSpan,
  type EndedSpan,
  type SpanContext,
  type SpanRecorder,
} from '@switchyard/telemetry';
import { exportedSpans, type SpanOptions } from '@switchyard/telemetry/opentelemetry';
import { leakCheck } from '@switchyard/testkit';
import { otlpReceiver, type OtlpReceiver } from '@switchyard/testkit/otlp-receiver';
import { samplesOf } from '../metrics/prometheus-samples';

const later = leakCheck();

const OPTIONS: Omit<SpanOptions, 'endpoint'> = {
  headers: { 'x-key': 'k1' },
  service_name: 'switchyard-api',
  sample_ratio: 1,
  queue_size: 100,
};

interface Bench {
  readonly receiver: OtlpReceiver;
  readonly spans: SpanRecorder;
  readonly log: readonly string[];
}

async function opened(options: Partial<SpanOptions> = {}): Promise<Bench> {
  const receiver = await otlpReceiver();
  later(() => receiver.close());
  const destination = captureDestination();
  const outputs = [{ level: 'info', format: 'json', destination }] as const;
  const logger = createLogger({ service: 'api', mask: true, maskNames: [], outputs });
  const spans = exportedSpans({ ...OPTIONS, endpoint: receiver.url, ...options }, logger);
  later(() => spans.close());
  return { receiver, spans, log: destination.lines };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const incoming = (flags = '01') => `00-${TRACE}-${CALLER}-${flags}`;

const ended = (context: SpanContext | undefined, more: Partial<EndedSpan> = {}): EndedSpan => ({
  context: context!,
  name: 'work',
  kind: 'internal',
  start: 1_700_000_000_123_456,
  end: 1_700_000_001_000_001,
  attributes: { 'svc.action.ref': 'core.local', 'svc.parent.id': undefined },
  ...more,
});

it('exports spans with their ids, times, attributes and the service', async () => {
  const { receiver, spans } = await opened();
  const parent = spans.read({ traceparent: incoming(), tracestate: 'vendor=1' });
  const context = spans.begin(parent, 'aaaabbbbccccdddd');
  spans.record(ended(context, { parent, error: 'failed' }));
  const [span] = await receiver.untilTrace(TRACE, 'work');
  expect(span).toMatchObject({
    spanId: 'aaaabbbbccccdddd',
    parentSpanId: CALLER,
    startTimeUnixNano: '1700000000123456000',
    endTimeUnixNano: '1700000001000001000',
    attributes: { 'svc.action.ref': 'core.local', 'error.type': 'failed' },
    hasFailed: true,
    resource: { 'service.name': 'switchyard-api', 'service.namespace': 'switchyard', 'process.pid': process.pid },
  });
  expect(span?.attributes).not.toHaveProperty('svc.parent.id');
  expect(receiver.requests[0]?.headers['x-key']).toBe('k1');
  expect(carrierOf(context!)).toEqual({ traceparent: `00-${TRACE}-aaaabbbbccccdddd-01`, tracestate: 'vendor=1' });
});

it.each([
  ['no header', {}],
  ['another version that is not allowed', { traceparent: incoming().replace('00-', 'ff-') }],
  ['zeros', { traceparent: `00-${'0'.repeat(32)}-${CALLER}-01` }],
  ['text', { traceparent: 'x' }],
  ['two headers', { traceparent: `${incoming()}, ${incoming()}` }],
])('begins a new trace for a request with %s', async (_name, headers) => {
  const { spans } = await opened();
  expect(spans.read(headers)).toBeUndefined();
});

it('follows the decision of the caller, and decides by the ratio without one', async () => {
  const { receiver, spans } = await opened({ sample_ratio: 0 });
  const left = spans.begin(undefined);
  expect(left?.isSampled).toBe(false);
  spans.record(ended(left));
  spans.record(ended(spans.begin(spans.read({ traceparent: incoming('00') }))));
  spans.record(ended(spans.begin(spans.read({ traceparent: incoming() }))));
  await spans.close();
  expect(receiver.spans.items.map(({ traceId }) => traceId)).toEqual([TRACE]);
});

it('ends the context of work with the work, also for timers that it leaves behind', async () => {
  const { receiver, spans } = await opened();
  const found: (string | undefined)[] = [];
  let timer = Promise.resolve();
  const clock = { nowMicros: () => Date.now() * 1000 };
  const parent = spans.read({ traceparent: incoming() });
  const work = inSpan({ spans, clock }, { name: 'outer', kind: 'server', attributes: {}, parent }, async () => {
    found.push(spans.active()?.traceId);
    timer = delay(1).then(() => delay(1)).then(() => void found.push(spans.active()?.traceId)); // oxfmt-ignore
    await inSpan({ spans, clock }, { name: 'inner', kind: 'internal', attributes: {} }, async () => {
      throw new TypeError('secret');
    });
  });
  await expect(work).rejects.toThrow('secret');
  await timer;
  expect(found).toEqual([TRACE, undefined]);
  const [inner, outer] = await receiver.untilTrace(TRACE, 'inner', 'outer');
  expect([inner?.parentSpanId, inner?.attributes]).toEqual([outer?.spanId, { 'error.type': 'TypeError' }]);
});

it('drops spans while nothing can be exported, with one warning, and reports when it works again', async () => {
  const { receiver, spans, log } = await opened();
  receiver.answerWith(400);
  const release = receiver.hold();
  for (let i = 0; i < 5000; i++) spans.record(ended(spans.begin(undefined)));
  release();
  await receiver.spans.until(0);
  spans.record(ended(spans.begin(undefined)));
  await until(() => receiver.requests.length >= 2 && log.length > 0);
  receiver.answerWith(200);
  await until(() => {
    spans.record(ended(spans.begin(undefined)));
    return receiver.spans.items.length > 0;
  });
  await spans.close();
  // What waits and what is on its way: the rest of the 5000 was dropped.
  const received = receiver.requests.map(({ body }) => body.match(/"spanId"/g)?.length ?? 0);
  expect(received.slice(0, 2).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2 * OPTIONS.queue_size);
  expect(log.map((line) => (JSON.parse(line) as { level: string; message: string }).message)).toEqual([
    'Unable to export spans of OpenTelemetry; they are dropped.',
    'Spans of OpenTelemetry are exported again.',
  ]);
  expect(log.join()).not.toContain('k1');
});

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await delay(20);
};

it('names the span of a slow request in its bucket, for clients that accept OpenMetrics', async () => {
  const { spans } = await opened();
  const metrics = createMetrics(
    { driver: 'noop', host: '', port: 1, prefix: null, sample_rate: 1 },
    { debug: jest.fn(), warn: jest.fn() },
    spans,
  );
  const context = spans.begin(spans.read({ traceparent: incoming() }), 'aaaabbbbccccdddd');
  const labels = { service: 'api', operation: 'actions.list' };
  metrics.count('http_requests', { ...labels, method: 'GET', code: '200' });
  spans.within(context, () => metrics.time('http_request', 40, labels));
  metrics.time('http_request', 700, labels);
  spans.within({ ...context!, isSampled: false }, () => metrics.time('http_request', 1, labels));

  const open = await metrics.page.inFormatFor('application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.1');
  expect(open.contentType).toContain('application/openmetrics-text');
  expect(open.text.match(/^svc_http_request_seconds_bucket.* # .*$/gm)).toEqual([
    expect.stringMatching(
      /^svc_http_request_seconds_bucket\{le="0.05",.*\} 2 # \{trace_id="0af7651916cd43dd8448eb211c80319c",span_id="aaaabbbbccccdddd"\} 0.04 \d/,
    ),
  ]);
  expect(open.text).toMatch(/^# TYPE svc_http_requests counter\nsvc_http_requests_total\{.*\} 1$/m);
  expect(open.text).toMatch(/\n# EOF\n$/);

  const plain = await metrics.page.inFormatFor('text/plain');
  expect(plain.contentType).toContain('text/plain');
  const names = samplesOf(plain.text).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['svc_http_requests_total', 'process_cpu_seconds_total']));
});
