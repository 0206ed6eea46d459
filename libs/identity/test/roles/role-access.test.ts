import { newId } from '@switchyard/base';
import { createRoleAccess, SELF_CHECK_USER } from '@switchyard/identity';
import type { RoleRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';

let platform: TestPlatform;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

const role = (name: string, uid: string, ...permissions: string[]): RoleRecord => ({
  _id: newId(),
  name,
  description: '',
  system: false,
  permission_grants: [{ id: newId(), resource_uid: uid, permission_types: permissions }],
});
const assign = (user: string, name: string) =>
  platform.store.roleAssignments.insertMany([{ _id: newId(), user, role: name, source: 'test', is_remote: false }]);

/** Access whose clock stands still unless the test moves it. */
function accessAt() {
  let nowMs = 0;
  const access = createRoleAccess({ store: platform.store, clock: { monotonicMs: () => nowMs } });
  return { access, wait: (ms: number) => void (nowMs += ms) };
}

function signal() {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give: () => give() };
}

describe('access by roles', () => {
  it('is what the roles of a user allow', async () => {
    await platform.store.roles.insert(role('deployers', 'pack:deploy', 'action_execute'));
    await assign('ada', 'deployers');
    await assign('ada', 'removed-role');
    const { access } = accessAt();
    await access.authorise({ user: 'ada' }, 'action_execute', 'action:deploy:start');
    await access.authorise({ user: 'ada' }, 'execution_view', 'execution:1', ['action:deploy:start']);
    expect(await access.rolesOf('ada')).toEqual(['deployers']);
    expect(await access.isAdmin('ada')).toBe(false);
    expect(await access.visible({ user: 'ada' }, 'action_view')).toEqual(['pack:deploy']);
    await expect(access.authorise({ user: 'ada' }, 'action_execute', 'action:core:local')).rejects.toMatchObject({
      status: 403,
      message: 'User "ada" doesn\'t have required permission "action_execute" on resource "action:core:local"',
    });
    await expect(access.authorise({ user: 'eve' }, 'action_list')).rejects.toMatchObject({
      status: 403,
      message: 'User "eve" doesn\'t have required permission "action_list"',
    });
  });

  it('follows changes of roles and assignments within a second', async () => {
    const { access, wait } = accessAt();
    const mayRun = () =>
      Promise.resolve(access.authorise({ user: 'bob' }, 'action_execute', 'action:web:start')).then(
        () => true,
        () => false,
      );
    expect(await mayRun()).toBe(false);
    const stored = await platform.store.roles.insert(role('web', 'pack:web', 'action_execute'));
    await assign('bob', 'web');
    expect(await mayRun()).toBe(false);
    wait(1000);
    expect(await mayRun()).toBe(true);
    await platform.store.roles.replace({ ...stored, permission_grants: [] });
    wait(1000);
    expect(await mayRun()).toBe(false);
  });

  it('reads the roles of a user once while nothing changes', async () => {
    await assign('carl', 'deployers');
    const reads: string[] = [];
    const { store } = platform;
    let nowMs = 0;
    const access = createRoleAccess({
      store: {
        roles: store.roles,
        revisions: store.revisions,
        roleAssignments: { ofUser: (user) => (reads.push(user), store.roleAssignments.ofUser(user)) },
      },
      clock: { monotonicMs: () => nowMs },
    });
    for (nowMs of [0, 500, 1500, 3000]) await access.authorise({ user: 'carl' }, 'action_view', 'action:deploy:start');
    expect(reads).toEqual(['carl']);
    // Known permissions are the same lists each time, which lets lists keep what they find out about them.
    expect(access.isAdmin('carl')).toBe(false);
    expect(access.visible({ user: 'carl' }, 'action_view')).toBe(access.visible({ user: 'carl' }, 'action_view'));
    // A process may have died between a change and its revision.
    nowMs = 12_000;
    await access.authorise({ user: 'carl' }, 'action_view', 'action:deploy:start');
    expect(reads).toEqual(['carl', 'carl']);
  });

  it('does not keep roles that were read before a change, or could not be read', async () => {
    const { store } = platform;
    const [isRead, mayEnd] = [signal(), signal()];
    const reads = [
      async (user: string) => {
        const found = await store.roleAssignments.ofUser(user);
        isRead.give();
        await mayEnd.given;
        return found;
      },
      () => Promise.reject(new Error('unavailable')),
    ];
    let nowMs = 0;
    const access = createRoleAccess({
      store: {
        roles: store.roles,
        revisions: store.revisions,
        roleAssignments: { ofUser: (user) => reads.shift()?.(user) ?? store.roleAssignments.ofUser(user) },
      },
      clock: { monotonicMs: () => nowMs },
    });
    const before = access.rolesOf('dora');
    await isRead.given;
    await assign('dora', 'deployers');
    nowMs = 1000;
    await expect(access.rolesOf('dora')).rejects.toThrow('unavailable');
    expect(await access.rolesOf('dora')).toEqual(['deployers']);
    mayEnd.give();
    expect(await before).toEqual([]);
    expect(await access.rolesOf('dora')).toEqual(['deployers']);
  });

  it('lets the self-check run its command and nothing else', async () => {
    const { access } = accessAt();
    await access.authorise({ user: SELF_CHECK_USER }, 'action_execute', 'action:core:local');
    await access.authorise({ user: SELF_CHECK_USER }, 'execution_view', 'execution:1', ['action:core:local']);
    await expect(
      access.authorise({ user: SELF_CHECK_USER }, 'action_execute', 'action:core:noop'),
    ).rejects.toMatchObject({
      status: 403,
    });
    await expect(access.authorise({ user: SELF_CHECK_USER }, 'action_list')).rejects.toMatchObject({ status: 403 });
    expect(await access.isAdmin(SELF_CHECK_USER)).toBe(false);
  });
});
