import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const role = {
  id: '65f0c0ffee00000000000001',
  name: 'readers',
  description: 'Read',
  system: false,
  permission_grants: ['65f0c0ffee00000000000003'],
  permission_grant_ids: ['65f0c0ffee00000000000003'],
  permission_grant_objects: [{ id: '65f0c0ffee00000000000003', permission_types: ['action_list'] }],
};
const assignment = {
  id: '65f0c0ffee00000000000002',
  user: 'ada',
  role: 'readers',
  source: 'assignments/ada.yaml',
  is_remote: false,
};
const changes = {
  roles: { created: 1, updated: 0, removed: 0 },
  role_assignments: { created: 2, updated: 0, removed: 0 },
  group_mappings: { created: 0, updated: 0, removed: 0 },
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/rbac/roles', () => ({ body: [role] }));
  server.on('GET /v1/rbac/roles/readers', () => ({ body: role }));
  server.on('GET /v1/rbac/role_assignments', () => ({ body: [assignment] }));
  server.on(`GET /v1/rbac/role_assignments/${assignment.id}`, () => ({ body: assignment }));
  server.on('POST /v1/rbac/sync', () => ({ body: changes }));
});
afterEach(() => server.close());
const run = (...args: string[]) =>
  svc(args, { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN });

const cells = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()).filter((cell) => cell !== '')); // oxfmt-ignore

test('roles are listed, also only those of the system', async () => {
  const { code, stdout } = await run('role', 'list');
  expect([code, ...cells(stdout)]).toEqual([
    0,
    ['id', 'name', 'system', 'description'],
    [role.id, 'readers', 'False', 'Read'],
  ]);
  expect(server.seen[0]?.query.get('system')).toBeNull();
  await run('role', 'list', '-s');
  expect(server.seen[1]?.query.get('system')).toBe('true');
});

test('a role is shown with its grants', async () => {
  const { code, stdout } = await run('role', 'get', 'readers', '-j');
  expect([code, JSON.parse(stdout)]).toEqual([0, role]);
});

test('role assignments are listed by role, user, source and origin', async () => {
  const { code, stdout } = await run('role-assignment', 'list', '-r', 'readers', '-u', 'ada', '-s', 'x', '--remote');
  expect([code, cells(stdout)[0]]).toEqual([0, ['id', 'role', 'user', 'is_remote', 'source', 'description']]);
  const asked = ['role', 'user', 'source', 'remote'].map((name) => server.seen[0]?.query.get(name));
  expect(asked).toEqual(['readers', 'ada', 'x', 'true']);
});

test('a role assignment is shown by its id', async () => {
  const { code, stdout } = await run('role-assignment', 'get', assignment.id, '-j');
  expect([code, JSON.parse(stdout)]).toEqual([0, assignment]);
});

test('a running system applies its files on request', async () => {
  const { code, stdout } = await run('rbac', 'sync', '--api', '-j');
  expect([code, JSON.parse(stdout)]).toEqual([0, changes]);
  expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/v1/rbac/sync' });
});
