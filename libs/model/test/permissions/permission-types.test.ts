import {
  checkGrant,
  isGlobalPermission,
  permissionsOf,
  permissionTypes,
  protectedTypeOf,
  resourceTypeOf,
} from '@switchyard/model';

const all = Object.entries(permissionTypes);

/** Resource type → last parts of its permission types, as StackStorm declares them. */
const REFERENCE: Readonly<Record<string, string>> = {
  runner_type: 'list view modify all',
  pack: 'list view create modify delete install uninstall register config search views_index_health all',
  sensor_type: 'list view modify all',
  action: 'list view create modify delete execute all',
  action_alias: 'list view create modify match help delete all',
  rule: 'list view create modify delete all',
  rule_enforcement: 'list view',
  execution: 'list view rerun stop all views_filters_list',
  key_value_pair: 'list view set delete all',
  webhook: 'list view create send delete all',
  timer: 'list view all',
  api_key: 'list view create modify delete all',
  trace: 'list view all',
  trigger: 'list view all',
  policy_type: 'list view all',
  policy: 'list view create modify delete all',
  inquiry: 'list view respond all',
  stream: 'view',
};

/** The members of nested lists in alphabetic order. */
const sorted = (given: unknown): unknown =>
  Array.isArray(given) ? given.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : given;

const parts = (type: string) => (REFERENCE[type] ?? '').split(' ');

/** What a permission allows besides itself, on the same resource, as the documentation of StackStorm says. */
function included(type: string, part: string): string[] {
  const own = parts(type).filter((each) => each !== part);
  if (part === 'all') return own.filter((each) => !/(^|_)list$/.test(each)).map((each) => `${type}_${each}`);
  if (type === 'inquiry' && part === 'view') return ['inquiry_respond'];
  const includesView = ['create', 'modify', 'delete', 'execute', 'set', 'send', 'rerun', 'stop', 'respond'];
  return includesView.includes(part) ? [`${type}_view`] : [];
}

/** What a permission on an action or a rule allows for what came from it. */
const inherited = (permission: string): string[] => {
  if (/^action_(execute|all)$/.test(permission))
    return ['execution_view', 'execution_rerun', 'execution_stop', 'inquiry_view', 'inquiry_respond'];
  if (/^action_(view|create|modify|delete)$/.test(permission)) return ['execution_view'];
  return /^rule_(view|create|modify|delete|all)$/.test(permission) ? ['rule_enforcement_view'] : [];
};

describe('permission types', () => {
  it('are by name the 88 of the reference and that of the stream, on 18 resource types, and those of the audit trail', () => {
    const own = all.map(([type, given]) => [type, Object.keys(given).filter((name) => resourceTypeOf(name) === type)]);
    const names = (type: string, parts: string) => [type, parts.split(' ').map((part) => `${type}_${part}`)];
    const expected = Object.entries({ ...REFERENCE, audit: 'list view' }).map(([type, parts]) => names(type, parts));
    expect(sorted(own)).toEqual(sorted(expected));
    expect(Object.keys(REFERENCE)).toHaveLength(18);
    expect(Object.keys(REFERENCE).flatMap(parts)).toHaveLength(88 + 1);
  });

  it('describe what they allow', () => {
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

  it('allow on a resource and in a pack what they allow in the reference', () => {
    const every = Object.keys(REFERENCE).flatMap((type) => parts(type).map((part) => `${type}_${part}`));
    for (const type of Object.keys(REFERENCE)) {
      for (const part of parts(type)) {
        const granted = `${type}_${part}`;
        const expected = [...included(type, part), ...inherited(granted)];
        const uid = type === 'pack' ? 'pack:deploy' : `${type}:deploy:it`;
        const onPack = Object.hasOwn(permissionTypes['pack'] ?? {}, granted) ? ['pack:deploy'] : [];
        for (const on of [uid, ...onPack]) {
          const grants = [{ resource_uid: on, permission_types: [granted] }];
          const { allows } = permissionsOf([{ name: 'some', system: false, permission_grants: grants }]);
          const others = every.filter((each) => each !== granted && allows(each, uid));
          expect([granted, on, others.sort()]).toEqual([granted, on, [...new Set(expected)].sort()]);
        }
      }
    }
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
