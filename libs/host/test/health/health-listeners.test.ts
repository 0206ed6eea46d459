import { deferred } from '@switchyard/base';
import { leakCheck } from '@switchyard/testkit';
import { freePort } from '@switchyard/testkit/free-port';
import { createHealthListeners, createService } from '../../src';

const later = leakCheck();
const contentType = 'text/plain; version=0.0.4';
const page = {
  contentType,
  text: () => Promise.resolve('svc_up 1\n'),
  inFormatFor: (accept = '') =>
    Promise.resolve({ contentType, text: accept.includes('openmetrics') ? '# EOF\n' : 'svc_up 1\n' }),
};

const serviceOf = (name: string, ready: () => boolean, starting = Promise.resolve()) =>
  createService({
    name,
    start: () => starting,
    stop: () => Promise.resolve(),
    kill: () => undefined,
    isReady: ready,
    checks: () => ({ work: ready() ? 'ok' : 'late' }),
  });

describe('services with the same health port', () => {
  let port: number;
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  beforeEach(async () => {
    port = await freePort();
  });

  it('share a listener, which is ready once all have started and are ready', async () => {
    const withPort = createHealthListeners('127.0.0.1', page);
    const begun = deferred();
    let isReady = false;
    const first = withPort(serviceOf('first', () => true), port); // oxfmt-ignore
    const second = withPort(serviceOf('second', () => isReady, begun.promise), port); // oxfmt-ignore
    await first.start();
    later(() => first.kill());
    const starting = second.start();
    later(() => second.kill());
    expect(await get('/readyz')).toMatchObject({ status: 503, body: { checks: { second: 'starting' } } });
    expect((await get('/healthz')).status).toBe(200);
    begun.resolve();
    await starting;
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { live: true, ready: false, checks: { 'first: work': 'ok', 'second: work': 'late' } },
    });
    isReady = true;
    expect((await get('/readyz')).status).toBe(200);
  });

  it('listen until the last of them has ended', async () => {
    const withPort = createHealthListeners('127.0.0.1', page);
    const [first, second] = ['first', 'second'].map((name) => withPort(serviceOf(name, () => true), port)); // oxfmt-ignore
    await first?.start();
    await second?.start();
    await second?.stop();
    await second?.kill();
    expect((await get('/healthz')).status).toBe(200);
    await first?.stop();
    await expect(get('/healthz')).rejects.toThrow();
  });

  it('report their checks without a name if there is one service', async () => {
    const only = createHealthListeners('127.0.0.1', page)(serviceOf('only', () => true), port); // oxfmt-ignore
    await only.start();
    later(() => only.stop());
    expect((await get('/readyz')).body).toEqual({ live: true, ready: true, checks: { work: 'ok' } });
  });

  it('do not listen on port 0', async () => {
    const service = serviceOf('only', () => true);
    expect(createHealthListeners('127.0.0.1', page)(service, 0)).toBe(service);
  });
});
