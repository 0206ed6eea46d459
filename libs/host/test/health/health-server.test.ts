import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { leakCheck } from '@switchyard/testkit';
import { createHealthServer, type HealthReport } from '../../src';

const later = leakCheck();

const contentType = 'text/plain; version=0.0.4';
const page = {
  contentType,
  text: () => Promise.resolve('svc_up 1\n'),
  inFormatFor: (accept = '') =>
    Promise.resolve({ contentType, text: accept.includes('openmetrics') ? '# EOF\n' : 'svc_up 1\n' }),
};

async function serving(report: () => HealthReport | Promise<HealthReport>) {
  const server = createHealthServer({ host: '127.0.0.1', port: 0, report, page });
  const port = await server.start();
  later(() => server.stop());
  return async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    return { status: answer.status, body: await answer.json() };
  };
}

describe('the health server', () => {
  it.each([
    [true, true, 200, 200],
    [true, false, 200, 503],
    [false, false, 503, 503],
  ])('of a service that is live %p and ready %p answers %d and %d', async (live, ready, healthz, readyz) => {
    const report = { live, ready, checks: { bus: 'ok' } };
    const get = await serving(() => report);
    expect(await get('/healthz')).toEqual({ status: healthz, body: report });
    expect(await get('/readyz?verbose')).toEqual({ status: readyz, body: report });
    expect((await get('/other')).status).toBe(404);
  });

  it('closes the connection when there is no report', async () => {
    const get = await serving(() => Promise.reject(new Error('no')));
    await expect(get('/healthz')).rejects.toThrow();
  });

  it('does not start on a port that is taken, and can still be stopped', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    later(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const server = createHealthServer({
      host: '127.0.0.1',
      port,
      report: () => ({ live: true, ready: true, checks: {} }),
      page,
    });
    await expect(server.start()).rejects.toThrow('EADDRINUSE');
    await server.stop();
  });

  it('serves measurements at /metrics', async () => {
    const report = () => ({ live: true, ready: true, checks: {} });
    const server = createHealthServer({ host: '127.0.0.1', port: 0, report, page });
    const port = await server.start();
    later(() => server.stop());
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      page.contentType,
      'svc_up 1\n',
    ]);
    const headers = { connection: 'close', accept: 'application/openmetrics-text' };
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()).toBe('# EOF\n');
  });
});
