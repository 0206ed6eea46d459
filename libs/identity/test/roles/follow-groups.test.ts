import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { applyRoleDefinitions, followGroups, readRoleDefinitions } from '../../src';
import { definitionDirectory } from './definition-directory';

let platform: TestPlatform;
const directory = definitionDirectory();
const later = leakCheck('all');
beforeAll(async () => {
  later(() => directory.remove());
  platform = await openTestPlatform();
  later(() => platform.close());
  directory.write({
    'roles/a.yaml': 'name: a',
    'roles/b.yaml': 'name: b',
    'assignments/ada.yaml': 'username: ada\nroles: [b]',
    'mappings/ops.yaml': 'group: CN=Ops\nroles: [a, b]',
    'mappings/dev.yaml': 'group: dev\nroles: [b]',
    'mappings/off.yaml': 'group: disabled\nenabled: false\nroles: [admin]',
  });
  const definitions = await readRoleDefinitions(directory.path);
  await applyRoleDefinitions(platform.store, definitions, { needsAdministrator: false });
});

const remote = async (user: string) =>
  (await platform.store.roleAssignments.list({ filter: { user, is_remote: true } }))
    .map(({ role, source }) => `${role} by ${source}`)
    .sort();

describe('the roles of groups', () => {
  it('follow the groups of each login', async () => {
    expect(await followGroups(platform.store, 'ada', ['CN=Ops', 'other'])).toBe(true);
    expect(await remote('ada')).toEqual(['a by mappings/ops.yaml', 'b by mappings/ops.yaml']);
    expect(await followGroups(platform.store, 'ada', ['dev', 'CN=Ops'])).toBe(true);
    expect(await remote('ada')).toEqual(['a by mappings/ops.yaml', 'b by mappings/dev.yaml', 'b by mappings/ops.yaml']);
    expect(await followGroups(platform.store, 'ada', ['dev'])).toBe(true);
    expect(await remote('ada')).toEqual(['b by mappings/dev.yaml']);
  });

  it('are not written again while the groups stay the same', async () => {
    await followGroups(platform.store, 'bob', ['dev']);
    const revision = await platform.store.revisions.of('roles');
    expect(await followGroups(platform.store, 'bob', ['dev', 'dev'])).toBe(false);
    expect(await platform.store.revisions.of('roles')).toBe(revision);
  });

  it('are taken back from a user without groups, but not those of assignment files', async () => {
    await followGroups(platform.store, 'ada', ['dev']);
    await followGroups(platform.store, 'ada', []);
    expect((await platform.store.roleAssignments.ofUser('ada')).map(({ source }) => source)).toEqual([
      'assignments/ada.yaml',
    ]);
  });

  it.each(['cn=ops', 'disabled', ''])('do not come from the group %j, which has no enabled mapping', async (group) => {
    await followGroups(platform.store, 'eve', [group]);
    expect(await remote('eve')).toEqual([]);
  });
});
