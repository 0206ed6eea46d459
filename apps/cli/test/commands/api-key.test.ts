import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const KNOWN = '65f0c0ffee00000000000001';
const LOST = '65f0c0ffee00000000000002';

let server: ScriptedServer;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'svc-keys-'));
  server = await startServer();
  server.on(`PUT /v1/apikeys/${KNOWN}`, ({ body }) => ({ body }));
  server.on(`PUT /v1/apikeys/${LOST}`, () => ({ status: 404, body: { faultstring: 'not there' } }));
  server.on('POST /v1/apikeys', ({ body: { key_hash: _, ...rest } }) => ({
    status: 201,
    body: { id: 'new', ...rest, key: null },
  }));
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

async function load(content: string, ...more: string[]) {
  const file = join(directory, 'keys.yaml');
  writeFileSync(file, content);
  const env = { HOME: directory, SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN };
  return await svc(['apikey', 'load', file, ...more], env);
}
const sent = () => server.seen.map(({ method, path, body }) => [method, path, body]);

test('load updates existing API keys and creates others', async () => {
  const hash = 'a'.repeat(128);
  const facts = { user: 'ada', key_hash: hash, metadata: {}, enabled: false };
  const { code, stdout } = await load(
    JSON.stringify([
      {
        id: KNOWN,
        uid: 'x',
        created_at: 'then',
        user: 'ada',
        key_hash: hash,
        metadata: { for: 'backup' },
        enabled: true,
      },
      { id: LOST, user: 'ada', key_hash: hash },
      { user: 'ada', key_hash: hash },
    ]),
    '-j',
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout).map(({ user }: { user: string }) => user)).toEqual(['ada', 'ada', 'ada']);
  expect(sent()).toEqual([
    ['PUT', `/v1/apikeys/${KNOWN}`, { ...facts, id: KNOWN, metadata: { for: 'backup' }, enabled: true }],
    ['PUT', `/v1/apikeys/${LOST}`, { ...facts, id: LOST }],
    ['POST', '/v1/apikeys', { ...facts, id: LOST }],
    ['POST', '/v1/apikeys', facts],
  ]);
});

test('load keeps the limits of keys', async () => {
  const limits = {
    permission_grants: [{ resource_uid: 'webhook:x', permission_types: ['webhook_send'] }],
    allowed_addresses: ['10.0.0.7'],
    expires_at: '2030-01-01T00:00:00.000000Z',
  };
  const key = { user: 'ada', key_hash: 'x', ...limits, role: null, last_used_at: '2029-01-01T00:00:00.000000Z' };
  expect((await load(JSON.stringify(key))).code).toBe(0);
  expect(sent()[0]?.[2]).toEqual({ user: 'ada', key_hash: 'x', metadata: {}, enabled: false, ...limits });
});

test('create limits a key to permissions, addresses and a time', async () => {
  const env = { HOME: directory, SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN };
  const grants = ['--permission', 'webhook_send@webhook:a@b', '--permission', 'rule_list'];
  const where = ['--address', '10.0.0.7,10.1.0.0/16', '--address', '::1', '--expires', '2030-01-31'];
  expect((await svc(['apikey', 'create', ...grants, ...where], env)).code).toBe(0);
  expect((await svc(['apikey', 'create', '--role', 'deployers'], env)).code).toBe(0);
  expect(sent().map(([, , body]) => body)).toEqual([
    {
      permission_grants: [
        { resource_uid: 'webhook:a@b', permission_types: ['webhook_send'] },
        { permission_types: ['rule_list'] },
      ],
      allowed_addresses: ['10.0.0.7', '10.1.0.0/16', '::1'],
      expires_at: '2030-01-31T00:00:00.000000Z',
    },
    { role: 'deployers' },
  ]);
  const { code, stderr } = await svc(['apikey', 'create', '--expires', 'soon'], env);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Expected a time such as')]);
});

test.each([
  ['- {user: ada, key_hash: x}\n- {user: bob}', 'The API key of "bob" needs a "key_hash"'],
  ['key_hash: x', 'needs a "user"'],
  ['- text', 'must be an object'],
  ['{user: ada, key_hash: x, enabled: "no"}', '"enabled" of the API key of "ada"'],
  ['{user: ada, key_hash: x, role: 5}', '"role" of the API key of "ada" must be the name of a role'],
  ['{user: ada, key_hash: x, allowed_addresses: 10.0.0.7}', '"allowed_addresses" of the API key of "ada"'],
  ['{user: ada, key_hash: x, permission_grants: [rule_list]}', '"permission_grants" of the API key of "ada"'],
])('load writes nothing from a file with %j', async (content, message) => {
  const { code, stderr } = await load(content);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(sent()).toEqual([]);
});
