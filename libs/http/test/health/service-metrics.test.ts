import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { route, serviceMetrics } from '@switchyard/http';
import { createMetrics } from '@switchyard/telemetry';
import { gathered, leakCheck } from '@switchyard/testkit';
import { keptLog, listening, sampleApp } from '../sample-app';

const later = leakCheck();

const routes = [
  route({
    method: 'GET',
    path: '/things/{id}',
    operation: 'things.get_one',
    summary: 'A thing',
    open: true,
    handle: ({ params }) => ({ status: 200, body: params }),
  }),
  route({
    method: 'GET',
    path: '/ping',
    operation: 'ping',
    summary: 'Asked by machines',
    open: true,
    quiet: true,
    handle: () => ({ status: 200 }),
  }),
];

async function statsd() {
  const lines = gathered<string>();
  const socket = createSocket('udp4').on('message', (datagram) => datagram.toString().split('\n').forEach(lines.add));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  later(() => void socket.close());
  return { lines, port: socket.address().port };
}

it('serviceMetrics reports requests to statsd and the page, by route and not by path', async () => {
  const { lines, port: statsdPort } = await statsd();
  const options = { driver: 'statsd', host: '127.0.0.1', port: statsdPort, prefix: null, sample_rate: 1 } as const;
  const metrics = createMetrics(options, keptLog().logger);
  later(() => metrics.close());
  const measured = serviceMetrics('api', metrics);
  const { app } = sampleApp([...routes, ...measured.routes], { observe: measured.observe });
  await listening(app, async (port) => {
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    for (const path of ['/things/a', '/v1/things/b', '/none', '/ping']) await (await get(path)).text();
    const answer = await get('/metrics');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, metrics.page.contentType]);
    const page = (await answer.text()).split('\n');
    expect(page.filter((line) => /^svc_http_request(s_total|_seconds_count)/.test(line))).toEqual([
      'svc_http_requests_total{service="api",operation="things.get_one",method="GET",code="200"} 2',
      'svc_http_requests_total{service="api",operation="unknown",method="GET",code="404"} 1',
      'svc_http_request_seconds_count{service="api",operation="things.get_one"} 2',
      'svc_http_request_seconds_count{service="api",operation="unknown"} 1',
    ]);
  });
  const thing = [
    'svc.api.request.total:1|c',
    'svc.api.request.method.GET:1|c',
    'svc.api.request.path._v1_things_id:1|c',
    'svc.api.response.status.200:1|c',
    'svc.api.request:1|c',
  ];
  const none = thing.map((line) => line.replace('_v1_things_id', 'unknown').replace('200', '404'));
  const counts = (await lines.until(18)).filter((line) => line.endsWith('|c'));
  expect(counts).toEqual([...thing, ...thing, ...none]);
});

it('serviceMetrics measures nothing without metrics', () => {
  expect(serviceMetrics('api', undefined).routes).toEqual([]);
});
