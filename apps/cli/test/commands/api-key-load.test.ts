import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKeyHash } from '@switchyard/identity';
import request from 'supertest';
import { apiFixture, type ApiFixture } from '../../../../services/api/test/support/api-fixture';
import { svc } from '../support/run-svc';

let api: ApiFixture;
let directory: string;
let token: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'svc-load-'));
  api = await apiFixture();
  token = (await api.identities.tokens.issueToken({ user: 'ada' })).token;
});
afterAll(async () => {
  await api.close();
  rmSync(directory, { recursive: true });
});

async function run(...words: string[]) {
  const env = { HOME: directory, SVC_API_URL: `${api.url}/v1`, SVC_AUTH_TOKEN: token };
  const { code, stdout, stderr } = await svc(['apikey', ...words], env);
  return { code, stderr, stdout };
}

function file(content: string): string {
  const path = join(directory, 'keys.yaml');
  writeFileSync(path, content);
  return path;
}

const withKey = (key: string) => request(api.url).get('/v1/user').set('st2-api-key', key);

/** As StackStorm's `st2 apikey list -dy --show-secrets` prints keys. */
const exported = (enabled: boolean) => `
- created_at: '2024-05-06T07:08:09.123456Z'
  enabled: ${enabled}
  id: 65f0c0ffee00000000000001
  key_hash: ${apiKeyHash('a key of StackStorm')}
  metadata: {used_by: ci}
  uid: api_key:${apiKeyHash('a key of StackStorm')}
  user: ci
`;

it('keys of StackStorm work after they are loaded, and a second load changes them', async () => {
  expect((await run('load', file(exported(true)))).code).toBe(0);
  expect((await withKey('a key of StackStorm').expect(200)).body.username).toBe('ci');
  const { body } = await api.ada.get('apikeys/65f0c0ffee00000000000001').expect(200);
  expect(body).toMatchObject({ user: 'ci', metadata: { used_by: 'ci' }, enabled: true });
  expect((await run('load', file(exported(false)))).code).toBe(0);
  await withKey('a key of StackStorm').expect(401);
});

it('load restores a key with its limits from what list prints', async () => {
  const limits = {
    permission_grants: [{ resource_uid: 'webhook:x', permission_types: ['webhook_send'] }],
    allowed_addresses: ['127.0.0.1'],
    expires_at: '2099-01-31T00:00:00.000000Z',
  };
  const { body: made } = await api.ada.post('apikeys', { ...limits, metadata: { for: 'x' } }).expect(201);
  await withKey(made.key).expect(200);
  const { stdout } = await run('list', '-dj', '--show-secrets');
  await api.ada.delete(`apikeys/${made.id}`).expect(204);
  await withKey(made.key).expect(401);
  expect((await run('load', file(stdout))).code).toBe(0);
  expect((await api.ada.get(`apikeys/${made.id}`).expect(200)).body).toMatchObject({ ...limits, user: 'ada' });
  expect((await withKey(made.key).expect(200)).body.rbac.is_admin).toBe(false);
});

it('load refuses another hash for an existing key', async () => {
  const [known = ''] = JSON.parse((await run('list', '-dj', '--show-secrets')).stdout).map(
    ({ id }: { id: string }) => id,
  );
  const { code, stderr } = await run('load', file(`{id: ${known}, user: ada, key_hash: ${apiKeyHash('other')}}`));
  expect([code, stderr]).toEqual([2, expect.stringContaining('Update of key_hash is not allowed.')]);
});
