import { commonResources, permissionsOf, permissionTypes, SYSTEM_ROLES, type PermissionGrant } from '@switchyard/model';

type Given = [uid: string | undefined, ...permissions: string[]];

const roleWith = (...grants: Given[]) => ({
  name: 'deployers',
  system: false,
  permission_grants: grants.map(([uid, ...permissions], index): PermissionGrant => {
    const id = `grant-${index}`;
    return { id, ...(uid === undefined ? {} : { resource_uid: uid }), permission_types: permissions };
  }),
});
const systemRole = (name: string) => ({ name, system: true, permission_grants: [] });
const every = Object.values(permissionTypes).flatMap((types) => Object.keys(types));

describe('permissions of a user', () => {
  it('are none without roles', () => {
    const nobody = permissionsOf([]);
    for (const permission of every)
      expect([permission, nobody.allows(permission, 'pack:core')]).toEqual([permission, false]);
    expect([nobody.isAdmin, nobody.roles, nobody.visible('action_view')]).toEqual([false, [], []]);
  });

  it.each(['system_admin', 'admin'])('are all with the role %s', (name) => {
    const admin = permissionsOf([systemRole(name)]);
    for (const permission of every) expect(admin.allows(permission)).toBe(true);
    expect([admin.isAdmin, admin.roles, admin.visible('action_view')]).toEqual([true, [name], 'all']);
  });

  it('are those that read with the role observer', () => {
    const observer = permissionsOf([systemRole('observer')]);
    const allowed = [...new Set(every)].filter((permission) => observer.allows(permission, 'pack:core'));
    expect(allowed.filter((permission) => !/_(list|view)$/.test(permission))).toEqual(['pack_search']);
    expect(allowed).toHaveLength(19 + 19 - 1 + 1 + 1);
    expect([observer.isAdmin, observer.visible('execution_view')]).toEqual([false, 'all']);
  });

  it.each(SYSTEM_ROLES)('do not come from a role in a file that has the name %s', (name) => {
    const impostor = permissionsOf([{ ...roleWith(), name }]);
    expect([impostor.isAdmin, impostor.allows('action_view', 'action:core:local')]).toEqual([false, false]);
  });

  it('add up over the roles', () => {
    const both = permissionsOf([
      roleWith(['action:core:local', 'action_view']),
      { ...roleWith(['action:core:local', 'action_execute'], [undefined, 'action_list']), name: 'runners' },
    ]);
    expect(both.roles).toEqual(['deployers', 'runners']);
    expect(both.allows('action_execute', 'action:core:local')).toBe(true);
    expect(both.allows('action_list')).toBe(true);
  });

  // Grant, requested permission, and whether it is allowed.
  it.each<[Given, [permission: string, resource?: string, ...parents: string[]], boolean]>([
    [['action:core:local', 'action_execute'], ['action_execute', 'action:core:local'], true],
    [['action:core:local', 'action_execute'], ['action_view', 'action:core:local'], true],
    [['action:core:local', 'action_execute'], ['action_execute', 'action:core:remote'], false],
    [['action:core:local', 'action_execute'], ['action_execute'], false],
    [['action:core:local', 'action_view'], ['action_execute', 'action:core:local'], false],
    [['action:core:local', 'action_all'], ['action_delete', 'action:core:local'], true],
    [['action:core:local', 'action_all'], ['action_list'], false],
    [['pack:core', 'action_execute'], ['action_execute', 'action:core:local'], true],
    [['pack:core', 'action_execute'], ['action_execute', 'action:linux:dig'], false],
    [['pack:core', 'action_execute'], ['pack_view', 'pack:core'], false],
    [['pack:core', 'pack_all'], ['action_view', 'action:core:local'], false],
    [['pack:core', 'pack_modify'], ['pack_view', 'pack:core'], true],
    [['pack:core', 'rule_create'], ['rule_view', 'rule:core:deploy'], true],
    [['pack:core', 'rule_view'], ['rule_enforcement_view', 'rule_enforcement:1', 'rule:core:deploy'], true],
    [['rule:core:deploy', 'rule_view'], ['rule_enforcement_view', 'rule_enforcement:1', 'rule:core:deploy'], true],
    [['pack:core', 'action_view'], ['execution_view', 'execution:1', 'action:core:local'], true],
    [['action:core:local', 'action_view'], ['execution_view', 'execution:1', 'action:core:local'], true],
    [['action:core:local', 'action_view'], ['execution_rerun', 'execution:1', 'action:core:local'], false],
    [['action:core:local', 'action_execute'], ['execution_rerun', 'execution:1', 'action:core:local'], true],
    [['pack:core', 'action_execute'], ['execution_stop', 'execution:1', 'action:core:local'], true],
    [['execution:1', 'execution_stop'], ['execution_view', 'execution:1', 'action:core:local'], true],
    [['execution:1', 'execution_all'], ['execution_rerun', 'execution:2', 'action:core:local'], false],
    [['inquiry:', 'inquiry_view'], ['inquiry_respond', 'inquiry:'], true],
    [['inquiry:', 'inquiry_respond'], ['inquiry_view', 'inquiry:'], true],
    [[undefined, 'inquiry_respond'], ['inquiry_view', 'inquiry:', 'action:core:ask'], true],
    [['action:core:ask', 'action_execute'], ['inquiry_respond', 'inquiry:', 'action:core:ask'], true],
    [['action:core:ask', 'action_view'], ['inquiry_respond', 'inquiry:', 'action:core:ask'], false],
    [
      ['key_value_pair:st2kv.system:a', 'key_value_pair_set'],
      ['key_value_pair_view', 'key_value_pair:st2kv.system:a'],
      true,
    ],
    [['webhook:deploy/hook', 'webhook_send'], ['webhook_send', 'webhook:deploy/hook'], true],
    [['webhook:deploy/hook', 'webhook_send'], ['webhook_send', 'webhook:deploy'], false],
    [[undefined, 'api_key_create'], ['api_key_create'], true],
    [[undefined, 'api_key_create'], ['api_key_view', 'api_key:1'], false],
    [[undefined, 'policy_create'], ['policy_view', 'policy:core:x'], false],
    [[undefined, 'pack_create'], ['pack_view', 'pack:core'], false],
    [['policy:core:x', 'policy_create'], ['policy_view', 'policy:core:x'], true],
    [[undefined, 'stream_view'], ['stream_view'], true],
    [[undefined, 'execution_list'], ['execution_views_filters_list'], false],
  ])('with a grant of %j: %j is allowed: %s', (grant, [permission, resource, ...parents], expected) => {
    expect(permissionsOf([roleWith(grant)]).allows(permission, resource, parents)).toBe(expected);
  });

  it('include which resources may be viewed', () => {
    const some = permissionsOf([
      roleWith(
        ['pack:deploy', 'action_execute', 'rule_all'],
        ['action:core:local', 'action_view'],
        ['rule:core:nightly', 'rule_modify'],
        ['execution:1', 'execution_stop'],
        [undefined, 'inquiry_view', 'action_list'],
      ),
    ]);
    expect(some.visible('action_view')).toEqual(['pack:deploy', 'action:core:local']);
    expect(some.visible('execution_view')).toEqual(['pack:deploy', 'action:core:local', 'execution:1']);
    expect(some.visible('rule_view')).toEqual(['pack:deploy', 'rule:core:nightly']);
    expect(some.visible('inquiry_view')).toBe('all');
    expect(some.visible('pack_view')).toEqual([]);
  });

  it('are shared by two sets where both grant a resource or its pack', () => {
    const some = ['pack:deploy', 'action:core:local', 'execution:1'];
    const others = ['action:deploy:start', 'pack:core', 'execution:2', 'rule:web:x'];
    expect(commonResources(some, others)).toEqual(['action:core:local', 'action:deploy:start']);
    expect([commonResources('all', some), commonResources(some, 'all')]).toEqual([some, some]);
    expect(commonResources('all', 'all')).toBe('all');
    expect(commonResources(some, others)).toBe(commonResources(some, others));
    expect(commonResources(others, some)).toEqual(['action:deploy:start', 'action:core:local']);
    expect(commonResources(some, [])).toEqual([]);
  });
});
