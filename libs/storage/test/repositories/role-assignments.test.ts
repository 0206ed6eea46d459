import { newId } from '@switchyard/base';
import type { RoleAssignmentRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import type { Store } from '../../src';

let platform: TestPlatform;
let store: Store;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  store = platform.store;
});

const assigned = (user: string, role: string, source = `${user}.yaml`): RoleAssignmentRecord => ({
  _id: newId(),
  user,
  role,
  source,
  is_remote: false,
});

describe('role assignments', () => {
  it('are those of a user', async () => {
    const [one, two] = [assigned('ada', 'admin'), assigned('ada', 'observer')];
    await store.roleAssignments.insertMany([one, two, assigned('bob', 'admin')]);
    expect(await store.roleAssignments.ofUser('ada')).toEqual(expect.arrayContaining([one, two]));
    expect(await store.roleAssignments.ofUser('ada')).toHaveLength(2);
    expect(await store.roleAssignments.ofUser('eve')).toEqual([]);
  });

  it('exist once for a user, a role and a source', async () => {
    await store.roleAssignments.insertMany([assigned('carl', 'admin', 'a'), assigned('carl', 'admin', 'b')]);
    const twice = store.roleAssignments.insertMany([assigned('carl', 'admin', 'a')]);
    await expect(twice).rejects.toMatchObject({ code: 'storage.duplicate', status: 409 });
    expect(await store.roleAssignments.count({ user: 'carl' })).toBe(2);
  });

  it('are replaced and removed by id', async () => {
    const given = Array.from({ length: 3 }, (_, i) => assigned('dora', `role-${i}`));
    await store.roleAssignments.insertMany(given);
    expect(await store.roleAssignments.replace({ ...given[0]!, description: 'new' })).toBe(true);
    expect(await store.roleAssignments.get(given[0]!._id)).toMatchObject({ role: 'role-0', description: 'new' });
    await store.roleAssignments.removeMany(given.slice(0, 2).map(({ _id }) => _id));
    expect(await store.roleAssignments.ofUser('dora')).toEqual([given[2]]);
    expect(await store.roleAssignments.replace(given[0]!)).toBe(false);
  });

  it('can be removed in thousands', async () => {
    const many = Array.from({ length: 2500 }, (_, i) => assigned(`user-${i}`, 'many'));
    await store.roleAssignments.insertMany(many);
    await store.roleAssignments.removeMany(many.map(({ _id }) => _id));
    expect(await store.roleAssignments.count({ role: 'many' })).toBe(0);
  });
});

describe('the revision of roles', () => {
  const grown = async (change: () => Promise<unknown>) => {
    const before = await store.revisions.of('roles');
    await change().catch(() => undefined);
    return (await store.revisions.of('roles')) - before;
  };
  const role = { _id: newId(), name: 'counted', description: '', system: false, permission_grants: [] };
  const one = assigned('ella', 'counted');
  const changes: [string, () => Promise<unknown>][] = [
    ['a new role', () => store.roles.insert(role)],
    ['a changed role', () => store.roles.replace({ ...role, description: 'new' })],
    ['a removed role', () => store.roles.remove(role._id)],
    ['a new assignment', () => store.roleAssignments.insertMany([one])],
    ['a failed assignment', () => store.roleAssignments.insertMany([one])],
    ['a changed assignment', () => store.roleAssignments.replace({ ...one, description: 'new' })],
    ['removed assignments', () => store.roleAssignments.removeMany([one._id])],
  ];
  it.each(changes)('grows after %s', async (_name, change) => {
    expect(await grown(change)).toBe(1);
  });

  it('does not grow when a role is read', async () => {
    expect(await grown(() => Promise.all([store.roles.list(), store.roleAssignments.ofUser('ella')]))).toBe(0);
  });
});
