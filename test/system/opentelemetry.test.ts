import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { otlpReceiver, spanTree, type OtlpReceiver, type ReceivedSpan } from '@switchyard/testkit/otlp-receiver';
import { callerWith, login, type ApiCaller } from './api-caller';
import { itWithPython } from './examples/python';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const HOOK_TRACE = '1bf7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const STATE = 'vendor=abc';
const TOKEN = 'hunter2-secret';

const ofAction = (ref: string, depth: number) =>
  [`action ${ref}`, `  schedule ${ref}`, `  dispatch ${ref}`, `  run ${ref}`].map((line) => ' '.repeat(depth) + line);

describe('a system with OpenTelemetry', () => {
  let receiver: OtlpReceiver;
  let other: Server;
  let otherGot: IncomingHttpHeaders = {};
  let system: SystemProcess;
  let caller: ApiCaller;

  beforeAll(async () => {
    receiver = await otlpReceiver();
    other = createServer((request, response) => {
      otherGot = request.headers;
      response.end('ok');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const config = `[opentelemetry]\nenable = true\nendpoint = ${receiver.url}\n`;
    system = await startSystem({ config, packs: [join(ROOT, 'test/system/traced')] });
    caller = await login(system.api, system.auth);
  }, MINUTE);
  afterAll(async () => {
    caller?.close();
    await system?.stop();
    other?.close();
    await receiver?.close().catch(() => undefined);
  }, MINUTE);

  const within = (trace: string) =>
    callerWith(system.api, { ...caller.headers, traceparent: `00-${trace}-${CALLER}-01`, tracestate: STATE });
  const post = async (trace: string, path: string, body: unknown) => {
    const tracing = within(trace);
    const answer = await tracing.call('POST', path, body);
    tracing.close();
    return answer;
  };
  const ended = (id: string) =>
    eventually(
      async () => {
        const { body } = await caller.call('GET', `/v1/executions/${id}`);
        return ['succeeded', 'failed'].includes(String(body.status)) && (body as Ended);
      },
      () => `execution ${id} has not ended`,
    );
  const resultsOf = async (id: string): Promise<unknown[]> => {
    const { body } = await caller.call('GET', `/v1/executions/${id}/children`);
    const children = body as (Ended & { start_timestamp: string })[];
    const sorted = children.sort((a, b) => (a.start_timestamp < b.start_timestamp ? -1 : 1));
    return sorted.map(({ result }) => result);
  };
  const contextOf = (received: readonly ReceivedSpan[], name: string) =>
    `00-${TRACE}-${received.find((span) => span.name === name)?.spanId}-01`;

  itWithPython(
    'continues the span of a request through a workflow into commands, Python actions and other servers',
    async () => {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
      const request = { action: 'traced.steps', parameters: { url, token: TOKEN } };
      const { status, body } = await post(TRACE, '/v1/executions', request);
      expect(status).toBe(201);
      const { context } = await ended(String(body.id));
      expect(context).toMatchObject({ traceparent: expect.stringContaining(TRACE), tracestate: STATE });
      const received = await receiver.untilTrace(TRACE, 'workflow traced.steps', 'POST /executions');
      expect(spanTree(received)).toEqual([
        'POST /executions',
        '  workflow traced.steps',
        '    schedule traced.steps',
        '    dispatch traced.steps',
        '    task command',
        ...ofAction('core.local', 6),
        '    task python',
        ...ofAction('traced.show', 6),
        '    task request',
        ...ofAction('core.http', 6),
      ]);
      expect(received.find(({ name }) => name === 'POST /executions')).toMatchObject({
        parentSpanId: CALLER,
        attributes: { 'http.request.method': 'POST', 'http.route': '/executions', 'http.response.status_code': 201 },
        resource: { 'service.name': 'switchyard', 'process.pid': system.child.pid },
      });
      const [command, python] = await resultsOf(String(body.id));
      expect(command).toMatchObject({ stdout: `${contextOf(received, 'run core.local')} ${STATE}` });
      expect(python).toMatchObject({ result: [contextOf(received, 'run traced.show'), STATE] });
      expect(otherGot).toMatchObject({ traceparent: contextOf(received, 'run core.http'), tracestate: STATE });
      const sent = receiver.requests.map((each) => each.body).join();
      for (const text of [TOKEN, 'echo', url]) expect(sent).not.toContain(text);
    },
  );

  it('continues the span of a webhook through its rule', async () => {
    expect(await post(HOOK_TRACE, '/v1/webhooks/traced', { word: TOKEN })).toMatchObject({ status: 202 });
    const received = await receiver.untilTrace(HOOK_TRACE, 'action core.local', 'rule traced.on_hook');
    expect(spanTree(received).map((line) => line.replace(/trigger core\..*/, 'trigger'))).toEqual([
      'POST /webhooks/{hook+}',
      '  trigger',
      '    rule traced.on_hook',
      ...ofAction('core.local', 6),
    ]);
    expect(receiver.requests.map((each) => each.body).join()).not.toContain(TOKEN);
  });

  itWithPython('names the span of the request in a bucket of its histogram', async () => {
    const accept = { accept: 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5' };
    const page = await (await fetch(`${system.api}/metrics`, { headers: accept })).text();
    const exemplarsOf = (metric: string) =>
      page.split('\n').filter((line) => line.startsWith(`${metric}_bucket`) && line.includes(`trace_id="${TRACE}"`));
    expect(exemplarsOf('svc_http_request_seconds').join()).toContain('operation="executions.create"');
    expect(exemplarsOf('svc_action_executions_seconds').join()).toContain('action="core.http"');
  });

  it('runs actions while nothing receives its spans, and logs that once', async () => {
    await receiver.close();
    const request = { action: 'core.local', parameters: { cmd: 'true' } };
    const { body } = await caller.call('POST', '/v1/executions', request);
    expect((await ended(String(body.id))).status).toBe('succeeded');
    const warnings = () =>
      readFileSync(join(system.directory, 'logs/switchyard.log'), 'utf8').match(/Unable to export spans/g) ?? [];
    await eventually(
      () => Promise.resolve(warnings().length > 0),
      () => 'no warning',
    );
    await system.stop({ keepData: true });
    expect(warnings()).toHaveLength(1);
  });
});

interface Ended {
  readonly status: string;
  readonly result: unknown;
  readonly context: Readonly<Record<string, unknown>>;
}
