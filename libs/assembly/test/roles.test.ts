import { newId } from '@switchyard/base';
import { loadConfig, paths, type ConfigOverrides } from '@switchyard/config';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createAssembly } from '../src';
import { identitiesOf } from '../src/identities';
import { preparedRoles } from '../src/roles';

let site: TestPlatform;
const later = leakCheck('all');
beforeAll(async () => {
  site = await openTestPlatform();
  later(() => site.close());
});

const prepared = (rbac: NonNullable<ConfigOverrides['rbac']>) => {
  const { config } = loadConfig({ environment: {}, overrides: { rbac, system: { base_path: '/data' } } });
  return preparedRoles({ platform: { store: site.store, config, paths: paths(config) } });
};

describe('a start with roles', () => {
  it('is refused with a backend that no package provides', async () => {
    await expect(prepared({ enable: true, backend: 'enterprise' })).rejects.toMatchObject({
      code: 'config.conflict',
      message:
        'Configuration: rbac.backend = enterprise is not available: no installed package provides it. Known backends are: default.',
    });
  });

  it('is refused without an administrator, and names the directory of the files', async () => {
    await expect(prepared({ enable: true, backend: 'default' })).rejects.toMatchObject({
      code: 'auth.no-administrator',
      message: expect.stringContaining('in /data/rbac, and run svc rbac sync'),
    });
    const administrator = { _id: newId(), user: 'ada', role: 'system_admin', source: 'a', is_remote: false };
    await site.store.roleAssignments.insertMany([administrator]);
    await prepared({ enable: true, backend: 'default' });
  });

  it('lets the services check permissions by the roles of users', async () => {
    const { config } = loadConfig({ environment: {}, overrides: { rbac: { enable: true, backend: 'default' } } });
    const withRoles = createAssembly({ ...site, config }, {});
    const { access } = identitiesOf(withRoles);
    expect([await access.isAdmin('ada'), await access.isAdmin('bob')]).toEqual([true, false]);
    await expect(access.authorise({ user: 'bob' }, 'action_list')).rejects.toMatchObject({ code: 'auth.forbidden' });
    expect(identitiesOf(createAssembly(site, {})).access.enabled).toBe(false);
  });

  it('stores the system roles even while roles are off', async () => {
    for (const { _id } of await site.store.roles.list()) await site.store.roles.remove(_id);
    await prepared({ backend: 'enterprise' });
    expect(await site.store.roles.count({ system: true })).toBe(3);
  });
});
