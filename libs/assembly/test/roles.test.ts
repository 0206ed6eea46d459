import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@switchyard/base';
import { loadConfig, paths, type ConfigOverrides } from '@switchyard/config';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createAssembly } from '../src';
import { identitiesOf } from '../src/identities';
import { preparedRoles } from '../src/roles';

const EXAMPLE = '@acme/svc-plugin-example';

let site: TestPlatform;
let plugins: string;
const later = leakCheck('all');
beforeAll(async () => {
  site = await openTestPlatform();
  later(() => site.close());
  plugins = mkdtempSync(join(tmpdir(), 'plugins-'));
  later(() => rmSync(plugins, { recursive: true }));
  const source = join(__dirname, '../../../test/plugins/acme-example');
  cpSync(source, join(plugins, 'node_modules', EXAMPLE), { recursive: true });
});

const prepared = (rbac: NonNullable<ConfigOverrides['rbac']>) => {
  const { config } = loadConfig({ environment: {}, overrides: { rbac, system: { base_path: '/data' } } });
  return preparedRoles(createAssembly({ ...site, config, paths: paths(config) }, {}));
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

  it('makes the services check permissions by the roles of users', async () => {
    const { config } = loadConfig({ environment: {}, overrides: { rbac: { enable: true, backend: 'default' } } });
    const withRoles = createAssembly({ ...site, config }, {});
    const { access } = identitiesOf(withRoles);
    expect([await access.isAdmin('ada'), await access.isAdmin('bob')]).toEqual([true, false]);
    await expect(access.authorise({ user: 'bob' }, 'action_list')).rejects.toMatchObject({ code: 'auth.forbidden' });
    expect(identitiesOf(createAssembly(site, {})).access.enabled).toBe(false);
  });

  it('uses the roles of a plug-in, if that names an administrator', async () => {
    const overrides = (given: Record<string, unknown>) => ({
      rbac: { enable: true, backend: 'enterprise', backend_kwargs: JSON.stringify(given) },
      plugins: { packages: EXAMPLE, directory: plugins },
    });
    const assemblyWith = (given: Record<string, unknown>) => {
      const { config } = loadConfig({ environment: {}, overrides: overrides(given) });
      return createAssembly({ ...site, config, paths: paths(config) }, {});
    };
    const file = join(plugins, 'roles.json');
    writeFileSync(file, JSON.stringify({ bob: [{ name: 'observer' }] }));
    await expect(preparedRoles(assemblyWith({ file }))).rejects.toMatchObject({
      message: 'Configuration: rbac.backend = enterprise defines no administrator, so no user could manage the system.',
    });
    writeFileSync(file, JSON.stringify({ bob: [{ name: 'observer' }], carol: [{ name: 'admin' }] }));
    const assembly = assemblyWith({ file });
    await preparedRoles(assembly);
    const { access } = identitiesOf(assembly);
    // Assignments in the store have no effect: ada is an administrator there.
    expect([await access.isAdmin('carol'), await access.isAdmin('bob'), await access.isAdmin('ada')]).toEqual([true, false, false]); // oxfmt-ignore
    await access.authorise({ user: 'bob' }, 'action_list');
    await expect(preparedRoles(assemblyWith({}))).rejects.toThrow(
      'expected the role backend "enterprise" to accept rbac.backend_kwargs, got the error "file is required".',
    );
    rmSync(file);
    await preparedRoles(assemblyWith({ file }));
  });

  it('stores the system roles even while roles are off', async () => {
    for (const { _id } of await site.store.roles.list()) await site.store.roles.remove(_id);
    await prepared({ backend: 'enterprise' });
    expect(await site.store.roles.count({ system: true })).toBe(3);
  });
});
