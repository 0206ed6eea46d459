import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const policy = {
  id: '65f0c0ffee00000000000001',
  uid: 'policy:tests:limit',
  ref: 'tests.limit',
  name: 'limit',
  pack: 'tests',
  enabled: true,
  resource_ref: 'tests.action',
  policy_type: 'action.concurrency',
  parameters: { threshold: 1, action: 'delay' },
};
const type = {
  id: '65f0c0ffee00000000000002',
  ref: 'action.retry',
  name: 'retry',
  resource_type: 'action',
  description: 'Again.',
  enabled: true,
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/policies', () => ({ body: [policy] }));
  server.on('GET /v1/policies/tests.limit', () => ({ body: policy }));
  server.on(`PUT /v1/policies/${policy.id}`, ({ body }) => ({ body: { ...policy, enabled: body.enabled } }));
  server.on('DELETE /v1/policies/tests.limit', () => ({ status: 204 }));
  server.on('GET /v1/policytypes', () => ({ body: [type] }));
  server.on('GET /v1/policytypes/action.retry', () => ({ body: type }));
});
afterEach(() => server.close());
const run = (...args: string[]) =>
  svc(args, { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN });

test.each([['-pt'], ['--policy-type']])('policies are listed by pack, action and type (%s)', async (option) => {
  const { code, stdout } = await run(
    'policy',
    'list',
    '-p',
    'tests',
    '-r',
    'tests.action',
    option,
    'action.concurrency',
  );
  const asked = ['pack', 'resource_ref', 'policy_type'].map((name) => server.seen[0]?.query.get(name));
  expect([code, asked]).toEqual([0, ['tests', 'tests.action', 'action.concurrency']]);
  for (const text of ['tests.limit', 'tests.action', 'action.concurrency', 'True']) expect(stdout).toContain(text);
});

test('policies are shown, and a missing one makes the command fail', async () => {
  expect(await run('policy', 'get', 'tests.limit')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(policy.uid),
  });
  const { code, stderr } = await run('policy', 'get', 'tests.nope');
  expect([code, stderr]).toEqual([1, 'ERROR: Policy "tests.nope" is not found.\n']);
});

test.each([
  ['enable', true],
  ['disable', false],
])('%s updates a policy', async (verb, enabled) => {
  const { code, stdout } = await run('policy', verb, 'tests.limit', '--json');
  expect([code, JSON.parse(stdout).enabled]).toEqual([0, enabled]);
  expect(server.seen.at(-1)?.body).toEqual({ ...policy, enabled });
});

test('policies are deleted', async () => {
  const { code, stdout } = await run('policy', 'delete', 'tests.limit');
  expect([code, stdout]).toEqual([0, 'Resource with id "tests.limit" has been successfully deleted.\n']);
});

test('policy types are listed and shown', async () => {
  const { stdout } = await run('policy-type', 'list', '-r', 'action');
  expect(server.seen[0]?.query.get('resource_type')).toBe('action');
  for (const text of ['retry', 'Again.', type.id]) expect(stdout).toContain(text);
  expect((await run('policy-type', 'get', 'action.retry')).stdout).toContain('action.retry');
  expect((await run('policy-type', 'get', 'action.nope')).code).toBe(1);
});
