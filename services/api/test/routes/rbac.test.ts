import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newId } from '@switchyard/base';
import { ensureSystemRoles } from '@switchyard/identity';
import type { RoleAssignmentRecord } from '@switchyard/model';
import { apiFixture, roles as onlyRoot, type ApiFixture, type Client } from '../support/api-fixture';

let api: ApiFixture;
let root: Client;
const assigned = (user: string, role: string, more: Partial<RoleAssignmentRecord> = {}): RoleAssignmentRecord => ({
  ...{ _id: newId(), user, role, source: `assignments/${user}.yaml`, is_remote: false },
  ...more,
});
const ofAda = assigned('ada', 'readers', { description: 'Team A' });
const ofBob = assigned('bob', 'observer', { source: 'mappings/ops.yaml', is_remote: true });
const grant = { id: newId(), resource_uid: 'pack:core', resource_type: 'pack', permission_types: ['pack_view'] };
const readers = { _id: newId(), name: 'readers', description: 'Read', system: false, permission_grants: [grant] };

beforeAll(async () => {
  api = await apiFixture({ access: onlyRoot });
  root = await api.as('root');
  await ensureSystemRoles(api.store);
  await api.store.roles.insert(readers);
  await api.store.roleAssignments.insertMany([ofAda, ofBob]);
});
afterAll(() => api.close());

const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);

describe('roles', () => {
  it('are listed by name, with those of the system', async () => {
    const all = await root.get('rbac/roles');
    expect(names(all)).toEqual(['admin', 'observer', 'readers', 'system_admin']);
    expect(all.headers).toMatchObject({ 'x-total-count': '4' });
    expect(names(await root.get('rbac/roles?system=True'))).toEqual(['admin', 'observer', 'system_admin']);
    expect(names(await root.get('rbac/roles/?system=false'))).toEqual(['readers']);
    expect(names(await root.get('rbac/roles?name=readers'))).toEqual(['readers']);
    expect(names(await root.get('rbac/roles?name=admin,observer&system=false'))).toEqual([]);
    expect(names(await root.get(`rbac/roles?id=${readers._id}`))).toEqual(['readers']);
    await root.get('rbac/roles?id=zzz').expect(400);
    expect(names(await root.get('rbac/roles?limit=1&offset=2&sort=-name'))).toEqual(['observer']);
    expect((await root.get('rbac/roles?system=false&include_attributes=name')).body).toEqual([
      { id: readers._id, name: 'readers' },
    ]);
  });

  it('are shown by id and by name, with their grants', async () => {
    const expected = {
      id: readers._id,
      name: 'readers',
      description: 'Read',
      system: false,
      permission_grants: [grant.id],
      permission_grant_ids: [grant.id],
      permission_grant_objects: [grant],
    };
    expect((await root.get('rbac/roles/readers')).body).toEqual(expected);
    expect((await root.get(`rbac/roles/${readers._id}`)).body).toEqual(expected);
    const { body } = await root.get('rbac/roles/nobody').expect(404);
    expect(body.faultstring).toBe('Resource with a name or id "nobody" not found');
  });
});

describe('role assignments', () => {
  const users = ({ body }: { body: { user: string }[] }) => body.map(({ user }) => user);

  it.each([
    ['', ['ada', 'bob']],
    ['?user=ada', ['ada']],
    ['?role=observer', ['bob']],
    ['?source=mappings/ops.yaml', ['bob']],
    ['?remote=True', ['bob']],
    ['?remote=false', ['ada']],
    ['?user=nobody', []],
    ['?sort=-user', ['bob', 'ada']],
  ])('are listed for administrators: %j', async (query, expected) => {
    expect(users(await root.get(`rbac/role_assignments${query}`).expect(200))).toEqual(expected);
  });

  it('are shown by id', async () => {
    const { _id, ...shown } = ofAda;
    expect((await root.get(`rbac/role_assignments/${_id}`)).body).toEqual({ id: _id, ...shown });
    const { body } = await root.get('rbac/role_assignments/nope').expect(404);
    expect(body.faultstring).toBe('Unable to identify resource with id "nope".');
  });

  it('are shown only to their own users', async () => {
    expect(users(await api.ada.get('rbac/role_assignments?user=ada').expect(200))).toEqual(['ada']);
    await api.ada.get(`rbac/role_assignments/${ofAda._id}`).expect(200);
    const foreign = await api.ada.get(`rbac/role_assignments/${ofBob._id}`).expect(404);
    const missing = await api.ada.get(`rbac/role_assignments/${newId()}`).expect(404);
    expect(foreign.body.faultstring).toMatch(/^Unable to identify resource with id/);
    expect(missing.body.faultstring).toMatch(/^Unable to identify resource with id/);
  });
});

describe('permission types', () => {
  it('are listed by resource type, with what they allow', async () => {
    const { body } = await root.get('rbac/permission_types').expect(200);
    expect(Object.keys(body)).toHaveLength(19);
    expect((await root.get('rbac/permission_types/webhook')).body).toEqual(body.webhook);
    expect(body.webhook).toMatchObject({ webhook_send: 'Send data to a webhook.' });
  });

  it.each(['toString', 'packs'])('of the resource type %s do not exist', async (type) => {
    const { body } = await root.get(`rbac/permission_types/${type}`).expect(404);
    expect(body.faultstring).toBe(`Invalid resource type: ${type}`);
  });
});

describe('a reload of the definition files', () => {
  const directory = () => join(dirname(api.packs), 'rbac');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(directory(), path)), { recursive: true });
    writeFileSync(join(directory(), path), text);
  };

  it('applies the changes, returns their counts, and is in the audit log', async () => {
    write('roles/writers.yaml', 'name: writers\npermission_grants: [{permission_types: [action_list]}]');
    write('assignments/root.yaml', 'username: root\nroles: [admin, writers]');
    const { body } = await root.post('rbac/sync').expect(200);
    expect(body).toEqual({
      roles: { created: 1, updated: 0, removed: 1 },
      role_assignments: { created: 2, updated: 0, removed: 1 },
      group_mappings: { created: 0, updated: 0, removed: 0 },
    });
    expect(names(await root.get('rbac/roles?system=0'))).toEqual(['writers']);
    expect(api.log).toContainEqual({
      level: 'audit',
      message: 'Role definitions applied.',
      fields: { user: 'root', ...body },
    });
  });

  it('is refused with every problem of the files, and changes nothing', async () => {
    write('roles/more.yaml', 'name: more\nenabled: perhaps');
    const { body } = await root.post('rbac/sync').expect(400);
    expect(body.faultstring).toMatch(/^The role definitions are not valid: roles\/more\.yaml: line 2: enabled: /);
    expect(names(await root.get('rbac/roles?system=0'))).toEqual(['writers']);
  });
});

it.each<[keyof Client, string]>([
  ['get', 'rbac/roles'],
  ['get', 'rbac/roles/admin'],
  ['get', 'rbac/roles/nobody'],
  ['get', 'rbac/role_assignments'],
  ['get', 'rbac/role_assignments?user=bob'],
  ['get', 'rbac/permission_types'],
  ['get', 'rbac/permission_types/pack'],
  ['get', 'rbac/permission_types/nothing'],
  ['post', 'rbac/sync'],
])('%s %s is for administrators', async (verb, path) => {
  const { body } = await api.ada[verb](path).expect(403);
  expect(body.faultstring).toBe('Administrator access required');
});

it('nothing else can be done with roles through the API', async () => {
  await root.post('rbac/role_assignments', { user: 'ada', role: 'admin' }).expect(404);
  await root.delete('rbac/roles/readers').expect(404);
});
