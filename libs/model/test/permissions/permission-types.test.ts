import { checkGrant, isGlobalPermission, permissionTypes, protectedTypeOf, resourceTypeOf } from '@switchyard/model';

const all = Object.entries(permissionTypes);

describe('permission types', () => {
  it('are the 88 of the reference and those of the stream and of the audit trail, on 19 resource types', () => {
    const own = all.map(([type, given]) => Object.keys(given).filter((name) => resourceTypeOf(name) === type).length);
    expect([own.length, own.reduce((sum, count) => sum + count)]).toEqual([19, 91]);
  });

  it('say what they allow', () => {
    expect(permissionTypes['rule']).toEqual({
      rule_list: 'List rules.',
      rule_view: 'See a rule.',
      rule_create: 'Create a rule.',
      rule_modify: 'Change a rule.',
      rule_delete: 'Delete a rule.',
      rule_all: 'Everything that concerns rules.',
    });
    for (const [, given] of all) for (const text of Object.values(given)) expect(text).toMatch(/^[A-Z].+\.$/);
  });

  it('of resources in packs can be granted on a pack', () => {
    const inside = Object.keys(permissionTypes['pack'] ?? {}).filter((name) => resourceTypeOf(name) !== 'pack');
    expect(inside.sort()).toEqual(
      [
        ...['view', 'modify', 'all'].map((part) => `sensor_type_${part}`),
        ...['view', 'create', 'modify', 'delete', 'execute', 'all'].map((part) => `action_${part}`),
        ...['view', 'create', 'modify', 'delete', 'all'].flatMap((part) => [`action_alias_${part}`, `rule_${part}`]),
      ].sort(),
    );
  });

  it('are global where no single resource is meant', () => {
    const global = all.flatMap(([, given]) => Object.keys(given)).filter(isGlobalPermission);
    expect(global.filter((name) => !name.endsWith('_list')).sort()).toEqual([
      'action_alias_help',
      'action_alias_match',
      'api_key_create',
      'audit_view',
      'inquiry_respond',
      'inquiry_view',
      'pack_config',
      'pack_create',
      'pack_install',
      'pack_register',
      'pack_search',
      'pack_uninstall',
      'pack_views_index_health',
      'policy_create',
      'stream_view',
    ]);
    expect(global.filter((name) => name.endsWith('_list'))).toHaveLength(19);
    expect(isGlobalPermission('nothing_list')).toBe(false);
  });
});

describe('a grant', () => {
  it.each([
    ['pack:deploy', ['pack_view', 'action_execute', 'rule_all']],
    ['webhook:deploy/hook', ['webhook_create', 'webhook_send']],
    ['inquiry:', ['inquiry_respond']],
    [undefined, ['action_list', 'pack_install', 'stream_view']],
  ])('on %s of %j is valid', (uid, permission_types) => {
    expect(checkGrant({ ...(uid === undefined ? {} : { resource_uid: uid }), permission_types })).toEqual([]);
  });

  it.each([
    ['action:core:local', 'rule_view', 'Invalid permission type "rule_view" for resource type "action"'],
    ['pack:core', 'action_list', 'Invalid permission type "action_list" for resource type "pack"'],
    ['pack:core', 'toString', 'Invalid permission type "toString" for resource type "pack"'],
    [undefined, 'action_view', 'Permission type "action_view" needs a "resource_uid": it is not a global one'],
    [undefined, 'action_lst', 'Unknown permission type "action_lst"'],
  ])('on %s of %s is refused', (uid, permission, text) => {
    const grant = { ...(uid === undefined ? {} : { resource_uid: uid }), permission_types: [permission] };
    expect(checkGrant(grant)).toEqual([{ path: ['permission_types', 0], text }]);
  });

  it.each(['core.local', 'packs:core', ':core', 'constructor:x'])(
    'on %s is refused, which has no resource type',
    (uid) => {
      expect(protectedTypeOf(uid)).toBeUndefined();
      const [problem] = checkGrant({ resource_uid: uid, permission_types: ['pack_view'] });
      expect(problem).toMatchObject({ path: ['resource_uid'], text: expect.stringContaining('must begin with') });
    },
  );
});
