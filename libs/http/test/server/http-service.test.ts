import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred, MIB } from '@switchyard/base';
import { createHttpService, healthRoutes, type HttpService, type Observation, type Route } from '@switchyard/http';
import { sampleApp, settings } from '../sample-app';

const slow = (started: () => void, go: Promise<void>): Route => ({
  method: 'GET',
  path: '/slow',
  operation: 'slow',
  summary: '',
  open: true,
  async handle() {
    started();
    await go;
    return { status: 200, body: 'done' };
  },
});

const PATIENCE_MS = 20;

function setUp(checks?: () => Promise<Record<string, string>>) {
  const [started, go] = [deferred(), deferred()];
  const { app } = sampleApp([slow(started.resolve, go.promise), ...healthRoutes(() => service)]);
  const logger = { info: () => undefined, warn: () => undefined };
  const service: HttpService = createHttpService({
    name: 'x',
    host: '127.0.0.1',
    port: 0,
    app,
    logger,
    clientPatienceMs: PATIENCE_MS,
    ...(checks ? { checks } : {}),
  });
  const ask = () => fetch(`http://127.0.0.1:${service.address().port}/slow`);
  return { service, started: started.promise, go, ask };
}

describe('a service', () => {
  it('finishes requests in progress before it stops, and accepts no new ones', async () => {
    const { service, started, go, ask } = setUp();
    await service.start();
    const answer = ask();
    await started;
    const stopped = service.stop();
    await expect(ask()).rejects.toThrow();
    go.resolve();
    expect(await (await answer).json()).toBe('done');
    await stopped;
    await service.finished;
  });

  it('keeps an idle connection open for longer than a proxy does', async () => {
    const { service, go } = setUp();
    await service.start();
    go.resolve();
    const agent = new Agent({ keepAlive: true });
    const { port } = service.address();
    const kept = await new Promise((resolve) =>
      get({ port, agent, path: '/slow' }, ({ headers }) => resolve(headers['keep-alive'])),
    );
    expect(kept).toBe('timeout=75');
    agent.destroy();
    await service.stop();
  });

  it.each([
    ['nothing', ''],
    ['half a request', 'GET /slow HTTP/1.1\r\n'],
  ])('does not wait for a connection on which %s arrived', async (_name, text) => {
    const { service } = setUp();
    await service.start();
    const socket = connect(service.address().port);
    await once(socket, 'connect');
    socket.write(text);
    const closed = new Promise((resolve) => socket.resume().on('error', resolve).on('close', resolve));
    await service.stop();
    await closed;
  });

  it.each([
    ['sends no more of its body', 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
    ['sends no more of its next request', 'GET /none HTTP/1.1\r\nHost: x\r\n\r\nGET /none HTTP/1.1\r\nHo'],
  ])('waits for its own work, but not for a client that %s', async (_name, text) => {
    const { service, started, go, ask } = setUp();
    await service.start();
    const answer = ask();
    await started;
    const socket = connect(service.address().port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    // The response shows that the request arrived.
    await once(socket, 'data');
    const closed = once(socket, 'close');
    const stopped = service.stop();
    await closed;
    go.resolve();
    expect(await (await answer).json()).toBe('done');
    await stopped;
  });

  it('does not wait for a client that does not read its response', async () => {
    const { app } = sampleApp([
      {
        ...slow(() => undefined, Promise.resolve()),
        handle: async () => ({ status: 200, body: 'x'.repeat(30 * MIB) }),
      },
    ]);
    const logger = { info: () => undefined, warn: () => undefined };
    const options = { name: 'x', host: '127.0.0.1', port: 0, app, logger, clientPatienceMs: PATIENCE_MS };
    const service = createHttpService(options);
    await service.start();
    const socket = connect(service.address().port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    await service.stop();
    socket.destroy();
  });

  it('does not wait for idle connections', async () => {
    const { service, go } = setUp();
    await service.start();
    go.resolve();
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) =>
      get({ agent, port: service.address().port, path: '/slow' }, (answer) => answer.resume().on('end', resolve)),
    );
    await service.stop();
    agent.destroy();
  });

  it('closes all connections at once when it is killed', async () => {
    const { service, started, go, ask } = setUp();
    await service.start();
    const answer = ask();
    const refused = expect(answer).rejects.toThrow();
    await started;
    await service.kill();
    await refused;
    go.resolve();
  });

  it('fails to start if the port is in use', async () => {
    const { service } = setUp();
    await service.start();
    const { app } = sampleApp([]);
    const options = { name: 'y', host: '127.0.0.1', app, logger: { info: () => undefined, warn: () => undefined } };
    const second = createHttpService({ ...options, port: service.address().port });
    await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.stop();
    await service.stop();
  });

  it('is ready while it listens and its checks pass', async () => {
    let store = 'ok';
    const { service } = setUp(() => Promise.resolve({ store }));
    expect(await service.health()).toEqual({ live: true, ready: false, checks: { listener: 'closed', store: 'ok' } });
    await service.start();
    expect((await service.health()).ready).toBe(true);
    store = 'does not respond';
    expect((await service.health()).ready).toBe(false);
    await service.stop();
  });

  it('is alive while a check does not return, shows its last result, and repeats no check that is under way', async () => {
    const [first, second] = [deferred<Record<string, string>>(), deferred<Record<string, string>>()];
    const checks = [first, second];
    let begun = 0;
    const { service } = setUp(() => checks[begun++]!.promise);
    await service.start();
    const alive = async () => (await fetch(`http://127.0.0.1:${service.address().port}/healthz`)).json();
    const health = { live: true, ready: true, checks: { listener: 'ok' } };
    expect([await alive(), await alive(), begun]).toEqual([health, health, 1]);
    const joined = service.health();
    first.resolve({ store: 'does not answer' });
    expect((await joined).ready).toBe(false);
    expect(await alive()).toEqual({ ...health, ready: false, checks: { listener: 'ok', store: 'does not answer' } });
    second.resolve({ store: 'ok' });
    expect((await service.health()).ready).toBe(true);
    await service.stop();
  });

  it('serves TLS with the given certificate', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tls-'));
    const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', keyFile, '-out', certFile, ...subject], {
      stdio: 'ignore',
    });
    const { app } = sampleApp([slow(() => undefined, Promise.resolve())]);
    const logger = { info: () => undefined, warn: () => undefined };
    const service = createHttpService({
      name: 'x',
      host: '127.0.0.1',
      port: 0,
      app,
      logger,
      tls: { certFile, keyFile },
    });
    await service.start();
    const options = {
      port: service.address().port,
      path: '/slow',
      ca: readFileSync(certFile),
      host: '127.0.0.1',
      agent: false,
    };
    const status = await new Promise((resolve, reject) =>
      getSecurely(options, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on('error', reject),
    );
    expect(status).toBe(200);
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  it('gives up a request whose client disconnects in the middle of the body', async () => {
    const seen = deferred<Observation>();
    const takes: Route = { ...slow(() => undefined, Promise.resolve()), method: 'POST', body: 'any' };
    const { app, lines } = sampleApp([takes], { observe: seen.resolve });
    const logger = { info: () => undefined, warn: () => undefined };
    const service = createHttpService({ name: 'x', host: '127.0.0.1', port: 0, app, logger });
    await service.start();
    const socket = connect(service.address().port, '127.0.0.1');
    socket.write('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"', () => socket.destroy());
    expect(await seen.promise).toMatchObject({ operation: 'slow', status: 499 });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    await service.stop();
  });
});

describe('connections to a service', () => {
  /** A service with its own limits, which records its warnings. */
  async function limited(connections: Partial<typeof settings.connections>) {
    const all = { ...settings, connections: { ...settings.connections, ...connections } };
    const { app } = sampleApp([slow(() => undefined, Promise.resolve())], { settings: all });
    const warnings: string[] = [];
    const logger = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
    const service = createHttpService({ name: 'x', host: '127.0.0.1', port: 0, app, logger });
    await service.start();
    const { port } = service.address();
    const open = () => connect(port, '127.0.0.1').on('error', () => undefined);
    /** Whether a new connection gets a response. */
    const answered = async () => {
      const socket = open();
      socket.write('GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      let text = '';
      for await (const part of socket) text += String(part);
      return text.startsWith('HTTP/1.1 200');
    };
    return { service, open, answered, warnings };
  }

  it.each([
    ['of one address', { maxPerAddress: 3 }, 'limits.max_connections_per_address'],
    ['in all', { max: 3 }, 'limits.max_connections'],
  ])('have a limit %s; another is accepted after one is closed', async (_, limits, option) => {
    const { service, open, answered, warnings } = await limited(limits);
    const held = [open(), open(), open()];
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const refused = open();
    await new Promise((resolve) => refused.resume().on('close', resolve));
    expect(warnings).toEqual([`A connection was refused because of ${option}.`]);
    const [first] = held as [ReturnType<typeof open>];
    first.end();
    await once(first.resume(), 'close');
    expect(await answered()).toBe(true);
    for (const socket of held) socket.destroy();
    await service.stop();
  });

  it.each([
    ['head', 'GET /slow HTTP/1.1\r\nHo'],
    ['body', 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
  ])('are closed when the %s of a request takes too long', async (_, text) => {
    const { service, open, answered } = await limited({ requestTimeoutMs: 100 });
    const socket = open();
    socket.write(text);
    await new Promise((resolve) => socket.resume().on('close', resolve));
    expect(await answered()).toBe(true);
    await service.stop();
  });
});
