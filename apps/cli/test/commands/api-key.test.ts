import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';

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
  const env = { HOME: directory, SVC_API_URL: `${server.url}/v1`, SVC_API_KEY: 'key' };
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

test.each([
  ['- {user: ada, key_hash: x}\n- {user: bob}', 'The API key of "bob" needs a "key_hash"'],
  ['key_hash: x', 'needs a "user"'],
  ['- text', 'must be an object'],
  ['{user: ada, key_hash: x, enabled: "no"}', '"enabled" of the API key of "ada"'],
])('load writes nothing from a file with %j', async (content, message) => {
  const { code, stderr } = await load(content);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(sent()).toEqual([]);
});
