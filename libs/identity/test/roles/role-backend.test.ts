import { createBackendAccess, pluginRoleBackends } from '@switchyard/identity';

const logger = { info: () => undefined, warn: () => undefined };

const create = (roleBackends: Record<string, unknown>) => {
  const [factory] = Object.values(pluginRoleBackends([{ name: '@acme/roles', roleBackends }]));
  return factory!({}, logger);
};

/** A backend that returns these answers in order. */
function backendOf(...answers: unknown[]) {
  const rolesOf = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return create({ acme: () => ({ rolesOf, hasAdministrator: async () => 'yes' }) });
}

describe('a role backend of a plug-in', () => {
  it.each([
    [{ default: () => undefined }, 'each role backend to have a unique name, got "default" again.'],
    [{ noop: () => undefined }, 'each role backend to have a unique name, got "noop" again.'],
    [{ acme: 7 }, 'expected the role backend "acme" to be a function, got number.'],
    [{ acme: () => undefined }, 'expected the role backend "acme" to have a function "rolesOf", got undefined.'],
    [{ acme: () => ({ rolesOf: () => [] }) }, 'to have a function "hasAdministrator", got undefined.'],
    [
      {
        acme: () => {
          throw new Error('no licence');
        },
      },
      'to accept rbac.backend_kwargs, got the error "no licence".',
    ],
  ])('cannot be %j', (roleBackends, message) => {
    expect(() => create(roleBackends)).toThrow('The plug-in "@acme/roles" cannot be loaded: expected ');
    expect(() => create(roleBackends)).toThrow(message);
  });

  it('has a name of its own', () => {
    const plugin = (name: string) => ({ name, roleBackends: { acme: () => undefined } });
    expect(() => pluginRoleBackends([plugin('@acme/one'), plugin('@acme/two')])).toThrow('got "acme" again.');
  });

  it('decides what users may do, and its grants count as those of roles here', async () => {
    const grants = [{ resource_uid: 'pack:deploy', permission_types: ['action_execute'] }];
    const backend = backendOf([{ name: 'deployers', permission_grants: grants }]);
    const access = createBackendAccess(backend, { clock: { monotonicMs: () => 0 } });
    await access.authorise({ user: 'ada' }, 'action_execute', 'action:deploy:start');
    expect(await access.visible({ user: 'ada' }, 'action_view')).toEqual(['pack:deploy']);
    expect([await access.rolesOf('ada'), await access.isAdmin('ada')]).toEqual([['deployers'], false]);
    await expect(access.authorise({ user: 'ada' }, 'rule_list')).rejects.toMatchObject({ code: 'auth.forbidden' });
    const admin = createBackendAccess(backendOf([{ name: 'admin' }]), { clock: { monotonicMs: () => 0 } });
    expect(await admin.isAdmin('ada')).toBe(true);
  });

  it('is called again after two seconds, and immediately after a failure', async () => {
    let nowMs = 0;
    const backend = backendOf(new Error('down'), [{ name: 'admin' }], []);
    const access = createBackendAccess(backend, { clock: { monotonicMs: () => nowMs } });
    await expect(access.isAdmin('ada')).rejects.toMatchObject({
      status: 503,
      message: 'The role backend "acme" cannot determine the roles of users at the moment. Try again later.',
    });
    expect(await access.isAdmin('ada')).toBe(true);
    nowMs = 2000;
    expect(await access.isAdmin('ada')).toBe(false);
  });

  it.each<[unknown, string]>([
    [undefined, 'rolesOf did not return a list'],
    [[{ grants: [] }], 'rolesOf returned a role without a name: item 0'],
    [[null], 'rolesOf returned a role without a name: item 0'],
    [[{ name: 'x', permission_grants: {} }], 'the permission_grants of the role "x" are not a list'],
    [[{ name: 'x', permission_grants: [{}] }], 'a grant of the role "x" has no permission_types'],
    [[{ name: 'x', permission_grants: [{ permission_types: ['all'] }] }], 'Unknown permission type "all"'],
    [
      [{ name: 'x', permission_grants: [{ resource_uid: 'pack:core', permission_types: ['rule_lst'] }] }],
      'Invalid permission type "rule_lst" for resource type "pack"',
    ],
  ])('that returns %j permits nothing: requests fail', async (answer, reason) => {
    const asked = backendOf(answer).permissionsOf('ada');
    await expect(asked).rejects.toMatchObject({ status: 503, cause: { message: expect.stringContaining(reason) } });
  });

  it('names an administrator only with true', async () => {
    expect(await backendOf([]).hasAdministrator()).toBe(false);
  });
});
