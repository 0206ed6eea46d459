import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { challengeOf, userCodeOf } from '@switchyard/model';
import { startContractServer, type ContractServer } from '../support/contract-server';
import { startSvc, svc, type RunningProcess } from '../support/run-svc';

const TOKEN = 'f'.repeat(32);
const LOGIN_URL = 'https://auth.example/auth/v1/sso/terminal';
const NOT_YET = { status: 404, body: { faultstring: 'There is no finished login with this code.' } };

let server: ContractServer;
let home: string;
beforeEach(async () => {
  server = await startContractServer();
  home = mkdtempSync(join(tmpdir(), 'svc-home-'));
  server.on('GET /sso', () => ({ body: { enabled: true, login_url: LOGIN_URL } }));
  server.on('POST /sso/terminal/token', ({ body }) => granted(body?.ttl));
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const granted = (ttl = 3600) => {
  const expiry = new Date(Date.now() + ttl * 1000).toISOString();
  return { status: 201, body: { id: '1', user: 'me', token: TOKEN, expiry, metadata: {}, service: false } };
};

const login = (words: string[], env: Record<string, string> = {}) =>
  startSvc(['login', '--sso', ...words], {
    HOME: home,
    SVC_API_URL: `${server.url}/v1`,
    SVC_AUTH_URL: server.url,
    ST2_STREAM_URL: `${server.url}/v1`,
    ...env,
  });

/** @returns the first group of the pattern once the command has written it */
async function shown({ child }: RunningProcess, pattern: RegExp): Promise<string> {
  let text = '';
  for (;;) {
    text += String((await once(child.stderr, 'data'))[0]);
    const [, found] = pattern.exec(text) ?? [];
    if (found !== undefined) return found;
  }
}

const addressOf = async (running: RunningProcess): Promise<URL> => new URL(await shown(running, /(https:\/\/\S+)\n/));
const proofs = () => server.seen.filter(({ path }) => path === '/sso/terminal/token').map(({ body }) => body);

/** Requests an address as a browser does, with the host as header and without following redirects. */
async function visited(address: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const [response] = await once(get(address, { headers, agent: false }), 'response');
  response.resume();
  await once(response, 'end');
  return [response.statusCode, response.headers.location ?? ''];
}

describe('with a browser on this computer', () => {
  it('waits for the code on a local port, and fetches the token with a secret that no URL contains', async () => {
    const running = login(['--ttl', '60']);
    const { origin, pathname, searchParams } = await addressOf(running);
    const { port = '', state = '', challenge = '' } = Object.fromEntries(searchParams);
    expect(origin + pathname).toBe(LOGIN_URL);
    expect(await visited(`http://127.0.0.1:${port}/?code=the-code&state=${state}`)).toEqual([200, '']);
    expect(await running).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Logged in as "me" until /),
      stderr: expect.stringContaining(`The page must show the code ${userCodeOf(challenge)}.`),
    });
    expect(proofs()).toEqual([{ verifier: expect.any(String), code: 'the-code', ttl: 60 }]);
    expect(challengeOf(proofs()[0].verifier)).toBe(challenge);
    expect(readFileSync(join(home, '.svc/config'), 'utf8')).toBe('[credentials]\nusername = me\n');
    expect(readdirSync(join(home, '.svc')).filter((name) => name.startsWith('token-'))).toHaveLength(1);
  });

  it('prints one document with -j', async () => {
    const running = login(['-j']);
    const { searchParams } = await addressOf(running);
    await visited(`http://127.0.0.1:${searchParams.get('port')}/?code=x&state=${searchParams.get('state')}`);
    expect(JSON.parse((await running).stdout)).toMatchObject({ user: 'me' });
  });

  it('keeps waiting after requests that do not belong to the login', async () => {
    const running = login([]);
    const { searchParams } = await addressOf(running);
    const at = `http://127.0.0.1:${searchParams.get('port')}`;
    const right = `${at}/?code=x&state=${searchParams.get('state')}`;
    expect(await visited(`${at}/?code=x`)).toEqual([400, '']);
    expect(await visited(`${at}/?code=x&state=${'y'.repeat(43)}`)).toEqual([400, '']);
    expect(await visited(`${at}/?state=${searchParams.get('state')}`)).toEqual([400, '']);
    expect(await visited(`${at}/favicon.ico`)).toEqual([400, '']);
    expect(await visited(right, { host: 'rebound.example' })).toEqual([400, '']);
    expect(await visited(right)).toEqual([200, '']);
    expect((await running).code).toBe(0);
    expect(proofs()).toHaveLength(1);
  });

  describe('that can be opened', () => {
    /** A browser that records the addresses that it opens. */
    const browser = () => {
      const program = join(home, 'browser');
      writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > "${home}/opened.part" && mv "${home}/opened.part" "${home}/opened"\n`); // oxfmt-ignore
      chmodSync(program, 0o700);
      return { BROWSER: program };
    };
    const opened = async (): Promise<string> => {
      while (!existsSync(join(home, 'opened'))) await new Promise((resolve) => setImmediate(resolve));
      return readFileSync(join(home, 'opened'), 'utf8');
    };

    it('opens an address that reveals nothing about the login to other users, and redirects to it', async () => {
      const running = login([], browser());
      const address = await addressOf(running);
      const start = await opened();
      expect(start).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${address.searchParams.get('port')}/[\\w-]{22}$`));
      expect(await visited(start)).toEqual([303, address.href]);
      await visited(`${new URL(start).origin}/?code=x&state=${address.searchParams.get('state')}`);
      expect((await running).code).toBe(0);
    });

    it('ends the login if somebody else opens that address first', async () => {
      const running = login([], browser());
      const start = await opened();
      expect((await visited(start))[0]).toBe(303);
      expect((await visited(start))[0]).toBe(410);
      expect(await running).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('another user of this computer'),
      });
      expect(proofs()).toEqual([]);
    });

    it('opens nothing with --no-browser', async () => {
      const running = login(['--no-browser'], browser());
      const { searchParams } = await addressOf(running);
      await visited(`http://127.0.0.1:${searchParams.get('port')}/?code=x&state=${searchParams.get('state')}`);
      await running;
      expect(existsSync(join(home, 'opened'))).toBe(false);
    });

    it('continues if the browser does not start', async () => {
      const running = login([], { BROWSER: join(home, 'no-such-browser') });
      const { searchParams } = await addressOf(running);
      await visited(`http://127.0.0.1:${searchParams.get('port')}/?code=x&state=${searchParams.get('state')}`);
      expect((await running).code).toBe(0);
    });
  });
});

describe('with a browser on any computer', () => {
  it('shows a code, and asks until the login is confirmed, even while the server is unavailable', async () => {
    const answers = [NOT_YET, { status: 503, body: { faultstring: 'Busy.' } }];
    server.on('POST /sso/terminal/token', ({ body }) => answers.shift() ?? granted(body?.ttl));
    const running = login(['--device']);
    const address = await addressOf(running);
    expect(await running).toMatchObject({ code: 0, stdout: expect.stringContaining('Logged in as "me"') });
    expect(proofs()).toHaveLength(3);
    expect(address.href).toBe(`${LOGIN_URL}?code=${userCodeOf(challengeOf(proofs()[0].verifier))}`);
  });

  it('ends with Ctrl-C and logs in nobody', async () => {
    server.on('POST /sso/terminal/token', () => NOT_YET);
    const running = login(['--device']);
    await addressOf(running);
    running.child.kill('SIGINT');
    expect(await running).toMatchObject({ code: 130, stderr: expect.stringContaining('Nobody was logged in.') });
    expect(existsSync(join(home, '.svc'))).toBe(false);
  });

  it('ends if the server refuses', async () => {
    const body = { faultstring: 'TTL specified 99 is greater than max allowed 60.' };
    server.on('POST /sso/terminal/token', () => ({ status: 400, body }));
    expect(await login(['--device'])).toMatchObject({ code: 1, stderr: expect.stringContaining('TTL specified 99') });
  });
});

describe('a login as another user than the named one', () => {
  it('is refused, and its token revoked', async () => {
    expect(await login(['you', '--device'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The user who logged in with the browser is "me", not "you".'),
    });
    expect(server.lines()).toContain('DELETE /tokens/current');
    expect(existsSync(join(home, '.svc'))).toBe(false);
  });
});

describe('without single sign-on', () => {
  it.each<[string, object, string]>([
    [
      'on the server',
      { enabled: false },
      'Single sign-on is not enabled on this server. Log in with "svc login USER".',
    ],
    ['for commands, as with StackStorm', { enabled: true }, 'does not support single sign-on for svc'],
    ['at a web address', { enabled: true, login_url: 'file:///etc/passwd' }, 'does not support single sign-on for svc'],
  ])('%s says so', async (_, body, text) => {
    server.on('GET /sso', () => ({ body }));
    expect(await login([])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(text) });
  });
});

it.each([
  [['--sso', '-p', 'x'], 'Give --sso without'],
  [['--sso', '-t', 'x'], 'Give --sso without'],
  [['--sso', '-w'], 'Give --sso without'],
  [['me', '--device'], 'are for --sso only'],
  [['me', '--no-browser'], 'are for --sso only'],
])('svc login rejects the options %j', async (words, text) => {
  const ended = await svc(['login', ...words], { HOME: home, SVC_AUTH_URL: server.url });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
});

it('shows no secret, not even with --debug', async () => {
  const ended = await login(['--device', '--debug']);
  expect(ended.stdout + ended.stderr).not.toMatch(new RegExp(`${proofs()[0].verifier}|ffff`));
  expect(ended.stderr).toContain('/sso/terminal/token');
});
