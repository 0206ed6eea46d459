import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigOverrides } from '@switchyard/config';
import request from 'supertest';
import { basic, madeAuthService } from '../made-auth-service';

const directory = mkdtempSync(join(tmpdir(), 'proxy-login-'));
afterAll(() => rmSync(directory, { recursive: true }));

type Made = ReturnType<typeof madeAuthService>;
const running: Made[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map(({ service }) => service.stop()))));

async function started(auth: ConfigOverrides['auth']): Promise<Made> {
  const made = madeAuthService({ mode: 'proxy', ...auth });
  running.push(made);
  await made.service.start();
  return made;
}

/** Without a body: with one, Node.js writes the bytes of headers in UTF-8. */
const logIn = ({ url }: Made, headers: Record<string, string | string[]> = {}) =>
  request(url())
    .post('/v1/tokens')
    .set(headers as Record<string, string>);

const local = { trusted_proxies: '127.0.0.1' };

describe('proxy mode', () => {
  it('issues a token for the user that a trusted proxy names, and records the address of the client', async () => {
    const auth = await started(local);
    const { status, body } = await logIn(auth, { 'x-forwarded-user': 'ada', 'x-forwarded-for': '192.0.2.1' });
    expect([status, body.user]).toEqual([201, 'ada']);
    expect(auth.audited()).toEqual([
      expect.objectContaining({ message: 'Token issued.', user: 'ada', caller: 'ada', address: '192.0.2.1' }),
    ]);
    expect(await auth.identities.tokens.isValid(body.token)).toBe(true);
    expect(await auth.store.users.byKey('ada')).toMatchObject({ is_service: false });
  });

  it('reads names in UTF-8', async () => {
    const name = Buffer.from('žluť', 'utf8').toString('latin1');
    expect((await logIn(await started(local), { 'x-forwarded-user': name })).body.user).toBe('žluť');
  });

  it('reads the name from the configured header, and from no other', async () => {
    const auth = await started({ ...local, proxy_user_header: 'Remote-User' });
    expect((await logIn(auth, { 'remote-user': 'ada', 'x-forwarded-user': 'eve' })).body.user).toBe('ada');
    expect((await logIn(auth, { 'x-forwarded-user': 'eve', remote_user: 'eve' })).status).toBe(401);
  });

  it('uses the name in basic credentials only if the option is set', async () => {
    const header = { authorization: basic('ada', 'anything') };
    expect((await logIn(await started(local), header)).body.faultstring).toBe(
      'The proxy did not name the user: expected one header X-Forwarded-User with a name, got none.',
    );
    const asked = await started({ ...local, proxy_user_header: 'Authorization' });
    expect((await logIn(asked, header)).body.user).toBe('ada');
    expect((await logIn(asked, { authorization: 'Bearer x' })).status).toBe(401);
    const elsewhere = await started({ trusted_proxies: '10.0.0.0/8', proxy_user_header: 'Authorization' });
    expect((await logIn(elsewhere, header)).status).toBe(401);
  });

  it.each([
    ['nothing', {}, 'none'],
    ['an empty name', { 'x-forwarded-user': '' }, 'none'],
    ['what Apache sends for an unset variable', { 'x-forwarded-user': '(null)' }, 'no valid name'],
    ['bytes that are not UTF-8', { 'x-forwarded-user': '\xff\xfe' }, 'no valid name'],
    ['a very long name', { 'x-forwarded-user': 'x'.repeat(1025) }, 'no valid name'],
    ['two names', { 'x-forwarded-user': ['eve', 'ada'] }, 'several'],
    ['a spelling with underscores', { x_forwarded_user: 'ada' }, 'none'],
  ])('refuses %s', async (_title, headers, actual) => {
    const auth = await started(local);
    const { status, body } = await logIn(auth, headers);
    expect([status, body.faultstring]).toEqual([401, expect.stringMatching(new RegExp(`, got ${actual}\\.$`))]);
    expect(auth.audited()).toEqual([expect.objectContaining({ message: 'Login refused.' })]);
  });

  it('refuses everyone except trusted proxies, whatever the headers contain', async () => {
    const auth = await started({ trusted_proxies: '10.0.0.0/8, 192.0.2.7' });
    const headers = { 'x-forwarded-user': 'ada', 'x-forwarded-for': '10.0.0.1', authorization: basic('ada', 'x') };
    const { status, body } = await logIn(auth, headers);
    expect([status, body.faultstring]).toEqual([
      401,
      'Logins are accepted from a trusted proxy only, and 127.0.0.1 is not one. Log in through the proxy.',
    ]);
    expect(auth.audited()).toEqual([expect.objectContaining({ message: 'Login refused.', address: '127.0.0.1' })]);
  });

  it.each([
    [{}, 'auth.mode = proxy needs auth.trusted_proxies or auth.proxy_socket'],
    [{ trusted_proxies: 'localhost' }, 'auth.trusted_proxies: expected addresses'],
    [{ ...local, proxy_user_header: 'X: Y' }, 'auth.proxy_user_header: expected the name of a header, got "X: Y"'],
  ])('does not start with %j', (auth, message) => {
    expect(() => madeAuthService({ mode: 'proxy', ...auth })).toThrow(message);
  });
});

describe('the Unix socket of a proxy', () => {
  const path = () => join(mkdtempSync(join(directory, 's-')), 'auth.sock');

  async function over(socketPath: string, headers: Record<string, string>) {
    const sent = httpRequest({ socketPath, path: '/v1/tokens', method: 'POST', headers });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return { status: answer.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
  }

  it('accepts users from a proxy, while the port refuses them', async () => {
    const socket = path();
    const auth = await started({ proxy_socket: socket });
    const headers = { 'x-forwarded-user': 'ada', 'x-forwarded-for': '192.0.2.1' };
    expect(await over(socket, headers)).toMatchObject({ status: 201, body: { user: 'ada' } });
    expect((await logIn(auth, headers)).status).toBe(401);
    expect(auth.audited()[0]).toMatchObject({ message: 'Token issued.', address: '192.0.2.1' });
  });

  it('is closed to other users of the machine, and is removed at the end', async () => {
    const socket = path();
    const { service } = await started({ proxy_socket: socket });
    expect(statSync(socket).mode & 0o777).toBe(0o660);
    await service.stop();
    expect(existsSync(socket)).toBe(false);
  });

  it('asks for passwords in standalone mode', async () => {
    const socket = path();
    const file = join(directory, 'htpasswd');
    writeFileSync(file, 'ada:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n');
    await started({ mode: 'standalone', proxy_socket: socket, backend_kwargs: JSON.stringify({ file_path: file }) });
    expect((await over(socket, { 'x-forwarded-user': 'ada' })).status).toBe(401);
    expect((await over(socket, { authorization: basic('ada', 'password') })).status).toBe(201);
  });

  it('replaces the socket of a killed process, and no other file', async () => {
    const socket = path();
    const bind = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', bind]);
    expect(statSync(socket).isSocket()).toBe(true);
    const { service } = await started({ proxy_socket: socket });
    await expect(started({ proxy_socket: socket })).rejects.toThrow(`another process listens on ${socket}`);
    await service.stop();
    writeFileSync(socket, 'precious');
    await expect(started({ proxy_socket: socket })).rejects.toThrow(`${socket} is a file, not a socket`);
  });
});
