import { newId } from '@switchyard/base';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { applyRoleDefinitions, prepareRoles, readRoleDefinitions } from '../../src';
import { DEPLOYERS, definitionDirectory } from './definition-directory';

let platform: TestPlatform;
const directory = definitionDirectory();
const later = leakCheck('all');
beforeAll(async () => {
  later(() => directory.remove());
  platform = await openTestPlatform();
  later(() => platform.close());
});

const ADMIN = { 'assignments/root.yaml': 'username: root\nroles: [admin]' };
const applied = async (files: Record<string, string>, needsAdministrator = true) => {
  directory.write(files);
  return applyRoleDefinitions(platform.store, await readRoleDefinitions(directory.path), { needsAdministrator });
};
const NONE = { created: 0, updated: 0, removed: 0 };
const rolesOf = async (user: string) =>
  (await platform.store.roleAssignments.ofUser(user)).map(({ role }) => role).sort();

describe('applying role definitions', () => {
  it('stores roles with their grants, assignments and mappings', async () => {
    const changes = await applied({
      ...ADMIN,
      'roles/deployers.yaml': DEPLOYERS,
      'assignments/ada.yaml': 'username: ada\nroles: [deployers, observer]\ndescription: Team A',
      'mappings/ops.yaml': 'group: ops\nroles: [deployers]',
    });
    expect(changes).toEqual({
      roles: { created: 1, updated: 0, removed: 0 },
      role_assignments: { created: 3, updated: 0, removed: 0 },
      group_mappings: { created: 1, updated: 0, removed: 0 },
    });
    expect(await platform.store.roles.byKey('deployers')).toEqual({
      _id: expect.any(String),
      name: 'deployers',
      description: 'May deploy',
      system: false,
      permission_grants: [
        {
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          resource_uid: 'pack:deploy',
          resource_type: 'pack',
          permission_types: ['pack_view', 'action_execute', 'rule_all'],
        },
        expect.objectContaining({ resource_type: 'webhook', permission_types: ['webhook_create', 'webhook_send'] }),
        { id: expect.any(String), resource_type: 'action', permission_types: ['action_list', 'execution_list'] },
      ],
    });
    const [assignment] = await platform.store.roleAssignments.list({ filter: { user: 'ada', role: 'observer' } });
    expect(assignment).toMatchObject({ source: 'assignments/ada.yaml', description: 'Team A', is_remote: false });
    expect((await platform.store.roles.list({ filter: { system: true } })).map(({ name }) => name).sort()).toEqual([
      'admin',
      'observer',
      'system_admin',
    ]);
  });

  it('changes nothing the second time', async () => {
    const files = { ...ADMIN, 'roles/deployers.yaml': DEPLOYERS };
    await applied(files);
    const before = await platform.store.roles.byKey('deployers');
    expect(await applied(files)).toEqual({ roles: NONE, role_assignments: NONE, group_mappings: NONE });
    expect(await platform.store.roles.byKey('deployers')).toEqual(before);
  });

  it('follows the files, and keeps ids', async () => {
    await applied({
      ...ADMIN,
      'roles/deployers.yaml': DEPLOYERS,
      'roles/readers.yaml': 'name: readers',
      'assignments/ada.yaml': 'username: ada\nroles: [deployers, readers]',
    });
    const before = await platform.store.roles.byKey('deployers');
    const changes = await applied({
      ...ADMIN,
      'roles/deployers.yaml': DEPLOYERS.replace('pack_view', 'pack_all'),
      'assignments/ada.yaml': 'username: ada\nroles: [deployers]\ndescription: Now with a reason',
    });
    expect(changes).toMatchObject({
      roles: { created: 0, updated: 1, removed: 1 },
      role_assignments: { created: 0, updated: 1, removed: 1 },
    });
    expect(await platform.store.roles.byKey('deployers')).toMatchObject({ _id: before?._id });
    expect(await platform.store.roles.byKey('readers')).toBeUndefined();
    expect(await rolesOf('ada')).toEqual(['deployers']);
  });

  it('removes the roles of a file that is disabled', async () => {
    await applied({ ...ADMIN, 'assignments/bob.yaml': 'username: bob\nroles: [observer]' });
    expect(await rolesOf('bob')).toEqual(['observer']);
    await applied({ ...ADMIN, 'assignments/bob.yaml': 'username: bob\nenabled: false\nroles: [observer]' });
    expect(await rolesOf('bob')).toEqual([]);
  });

  it('keeps assignments that follow groups', async () => {
    const remote = { _id: newId(), user: 'eve', role: 'observer', source: 'mappings/x.yaml', is_remote: true };
    await platform.store.roleAssignments.insertMany([remote]);
    await applied(ADMIN);
    expect(await rolesOf('eve')).toEqual(['observer']);
  });

  it('writes nothing if one file is wrong', async () => {
    await applied(ADMIN);
    const revision = await platform.store.revisions.of('roles');
    const wrong = applied({ ...ADMIN, 'roles/a.yaml': 'name: a', 'roles/b.yaml': 'nam: b', 'roles/c.yaml': '' });
    await expect(wrong).rejects.toMatchObject({
      code: 'auth.role-definitions',
      message: expect.stringMatching(/roles\/b\.yaml: line 1: .*\nroles\/c\.yaml: line 1: The file is empty$/),
    });
    expect(await platform.store.revisions.of('roles')).toBe(revision);
    expect(await platform.store.roles.byKey('a')).toBeUndefined();
  });

  it('refuses files that would leave no administrator, and then writes nothing', async () => {
    await applied(ADMIN);
    await expect(applied({ 'assignments/ada.yaml': 'username: ada\nroles: [observer]' })).rejects.toMatchObject({
      code: 'auth.no-administrator',
      message: expect.stringContaining(directory.path),
    });
    expect(await rolesOf('root')).toEqual(['admin']);
    expect(await rolesOf('ada')).toEqual([]);
  });

  it('accepts an administrator by group', async () => {
    await applied(ADMIN);
    const remote = { _id: newId(), user: 'gus', role: 'system_admin', source: 'mappings/x.yaml', is_remote: true };
    await platform.store.roleAssignments.insertMany([remote]);
    await applied({});
    await platform.store.roleAssignments.removeMany([remote._id]);
    await expect(applied({})).rejects.toMatchObject({ code: 'auth.no-administrator' });
  });

  it('does not need an administrator while roles are off', async () => {
    await applied({}, false);
    expect(await rolesOf('root')).toEqual([]);
  });

  it('handles ten thousand assignments', async () => {
    await applied(ADMIN);
    const files: Record<string, string> = { ...ADMIN };
    for (let i = 0; i < 50; i++) files[`roles/r${i}.yaml`] = `name: r${i}`;
    for (let i = 0; i < 1000; i++) {
      const roles = Array.from({ length: 10 }, (_, j) => `r${(i + j) % 50}`).join(', ');
      files[`assignments/u${i}.yaml`] = `username: u${i}\nroles: [${roles}]`;
    }
    expect(await applied(files)).toMatchObject({
      roles: { created: 50, removed: 0 },
      role_assignments: { created: 10_000 },
    });
    expect(await rolesOf('u999')).toHaveLength(10);
    expect(await applied(ADMIN)).toMatchObject({ roles: { removed: 50 }, role_assignments: { removed: 10_000 } });
  });
});

describe('the start with roles', () => {
  const prepared = (enable: boolean) =>
    prepareRoles({ store: platform.store, enable, directory: directory.path, logger: { warn: () => undefined } });

  it('stores the roles of the system, even from several processes at once', async () => {
    const stored = await platform.store.roles.list({ filter: { system: true } });
    for (const { _id } of stored) await platform.store.roles.remove(_id);
    await Promise.all([1, 2, 3].map(() => prepared(false)));
    expect(await platform.store.roles.count({ system: true })).toBe(3);
  });

  it('is refused without an administrator, and describes how to create one', async () => {
    await applied({}, false);
    await expect(prepared(true)).rejects.toMatchObject({
      code: 'auth.no-administrator',
      message: expect.stringMatching(/assignments\/ada\.yaml .*roles: \[admin\].*svc rbac sync/),
    });
    await applied(ADMIN);
    await prepared(true);
  });
});
