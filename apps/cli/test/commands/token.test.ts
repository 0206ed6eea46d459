import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';

const token = {
  id: '65f0c0ffee00000000000001',
  user: 'ada',
  created_at: '2026-01-02T03:04:05.000000Z',
  expiry: '2026-01-03T03:04:05.000000Z',
  service: false,
  metadata: {},
  address: '192.0.2.7',
  client: 'loom/1',
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /issued_tokens', () => ({ body: [token] }));
  server.on(`DELETE /issued_tokens/${token.id}`, () => ({ status: 204 }));
  server.on('DELETE /issued_tokens', () => ({ body: { revoked: 3 } }));
});
afterEach(() => server.close());
const run = (...args: string[]) =>
  svc(args, { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_URL: server.url, SVC_AUTH_TOKEN: 'given' });

test('tokens are listed, by default those of the caller', async () => {
  const { code, stdout } = await run('token', 'list', '-j');
  const { metadata: _, ...shown } = token;
  expect([code, JSON.parse(stdout)]).toEqual([0, [shown]]);
  expect(server.seen[0]?.query.get('user')).toBeNull();
  await run('token', 'list', '-u', 'ada');
  expect(server.seen[1]?.query.get('user')).toBe('ada');
});

test('a token is revoked by its id', async () => {
  const { code, stdout } = await run('token', 'revoke', token.id);
  expect([code, stdout]).toEqual([0, `Revoked the token ${token.id}.\n`]);
  expect(server.lines()).toEqual([`DELETE /issued_tokens/${token.id}`]);
});

test('all tokens of a user are revoked', async () => {
  const { code, stdout } = await run('token', 'revoke', '--all', '--user', 'ada', '-j');
  expect([code, JSON.parse(stdout)]).toEqual([0, { user: 'ada', revoked: 3 }]);
  expect(server.seen[0]).toMatchObject({ method: 'DELETE', path: '/issued_tokens' });
  expect(server.seen[0]?.query.get('user')).toBe('ada');
  expect((await run('token', 'revoke', '--all')).stdout).toBe('Revoked 3 tokens.\n');
});

test.each([
  [[], 'Either the id of a token or --all.'],
  [[token.id, '--all'], 'Either the id of a token or --all.'],
  [[token.id, '--user', 'ada'], '--user needs --all.'],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await run('token', 'revoke', ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(server.lines()).toEqual([]);
});

test('a token given in place of its id is neither sent nor printed', async () => {
  const secret = 'f'.repeat(32);
  const { code, stdout, stderr } = await run('token', 'revoke', secret);
  expect([code, server.lines()]).toEqual([2, []]);
  expect(stdout + stderr).not.toContain(secret);
});

test('a change that the server refuses ends with the exit code for it', async () => {
  const { code, stderr } = await run('token', 'revoke', '65f0c0ffee00000000000009');
  expect(code).toBe(2);
  expect(stderr).toContain('could not be found');
});

test('a token for unattended use is created and printed once', async () => {
  const made = { id: token.id, user: 'ada', token: 'f'.repeat(32), expiry: token.expiry, service: false, metadata: {} };
  server.on('POST /issued_tokens', () => ({ status: 201, body: made }));
  const words = ['token', 'create', '--service', 'nightly', '--role', 'observer'];
  const { code, stdout, stderr } = await run(...words, '--expires', '2027-01-31', '-j');
  expect([code, JSON.parse(stdout).token]).toEqual([0, made.token]);
  expect(stderr).toContain('SVC_AUTH_TOKEN');
  const expected = { service: 'nightly', role: 'observer' };
  expect(server.seen[0]?.body).toEqual({ ...expected, expires_at: '2027-01-31T00:00:00.000000Z' });
  await run(...words);
  expect(server.seen[1]?.body).toEqual(expected);
});

test.each([
  [['--role', 'observer'], '--service <name>'],
  [['--service', 'nightly'], '--role <name>'],
  [['--service', 'x', '--role', 'y', '--expires', 'soon'], 'Expected a time'],
])('token create %j is refused', async (args, message) => {
  const { code, stderr } = await run('token', 'create', ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(server.lines()).toEqual([]);
});
