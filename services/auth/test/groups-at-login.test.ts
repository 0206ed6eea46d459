import { createAuthService } from '@switchyard/auth';
import { newId, systemClock } from '@switchyard/base';
import { loadConfig, type ConfigOverrides } from '@switchyard/config';
import { createIdentities, pluginBackends } from '@switchyard/identity';
import { createLogger } from '@switchyard/telemetry';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import request from 'supertest';

let platform: TestPlatform;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  const mapping = { _id: newId(), group: 'ops', roles: ['deployers'], source: 'mappings/ops.yaml', enabled: true };
  await platform.store.groupMappings.insert(mapping);
});

const backends = pluginBackends([
  {
    name: '@acme/groups',
    authBackends: {
      acme: () => ({
        authenticate: async (_: string, password: string) => password === 'right',
        groupsOf: async () => ['ops'],
      }),
    },
  },
]);

function authService(rbac: NonNullable<ConfigOverrides['rbac']>, backend = 'acme', sso: ConfigOverrides['auth'] = {}) {
  const kwargs = backend === 'flat_file' ? JSON.stringify({ file_path: '/nowhere/htpasswd' }) : undefined;
  const auth = { port: 0, backend, ...(kwargs === undefined ? {} : { backend_kwargs: kwargs }), ...sso };
  const { config } = loadConfig({ environment: {}, overrides: { auth, rbac } });
  const { store } = platform;
  const clock = systemClock();
  const logger = createLogger({ service: 'auth', mask: true, maskNames: [], outputs: [] });
  const identities = createIdentities({ store, clock, config });
  return createAuthService({
    config,
    identities,
    store,
    clock,
    logger,
    about: { version: '1', docsUrl: '' },
    backends,
  });
}

async function rolesAfterLogin(user: string, rbac: NonNullable<ConfigOverrides['rbac']>): Promise<string[]> {
  const service = authService(rbac);
  await service.start();
  try {
    const authorization = `Basic ${Buffer.from(`${user}:right`).toString('base64')}`;
    const url = `http://127.0.0.1:${service.address().port}`;
    await request(url).post('/v1/tokens').set('authorization', authorization).send({}).expect(201);
    return (await platform.store.roleAssignments.ofUser(user)).map(({ role }) => role);
  } finally {
    await service.stop();
  }
}

const ON = { enable: true, backend: 'default' };

describe('the groups of a user who logs in', () => {
  it('give roles', async () => {
    expect(await rolesAfterLogin('ada', { ...ON, sync_remote_groups: true })).toEqual(['deployers']);
  });

  it.each<[string, NonNullable<ConfigOverrides['rbac']>]>([
    ['without rbac.sync_remote_groups', ON],
    ['while roles are off', { sync_remote_groups: true }],
  ])('give no roles %s', async (_name, rbac) => {
    expect(await rolesAfterLogin('bob', rbac)).toEqual([]);
  });

  it('require a backend with groups, or the service does not start', () => {
    expect(() => authService({ ...ON, sync_remote_groups: true }, 'flat_file')).toThrow(
      expect.objectContaining({ code: 'config.conflict', message: expect.stringContaining('"flat_file"') }),
    );
  });

  const OIDC = { issuer: 'https://id.example', client_id: 'svc', redirect_uri: 'https://svc.example/sso/callback' };
  const SAML = { entity_id: 'https://svc.example', metadata_url: 'https://id.example/metadata' };
  it.each<[string, object, string]>([
    ['oidc', OIDC, 'groups_claim'],
    ['saml2', SAML, 'groups_attribute'],
  ])('do not require one if the single sign-on %s reports groups', (name, kwargs, argument) => {
    const sso = (given: object) => ({ sso: true, sso_backend: name, sso_backend_kwargs: JSON.stringify(given) });
    const start = (given: object) => authService({ ...ON, sync_remote_groups: true }, 'flat_file', sso(given));
    expect(() => start({ ...kwargs, [argument]: 'groups' })).not.toThrow();
    expect(() => start(kwargs)).toThrow('needs an authentication backend that has groups, and "flat_file" has none');
  });
});
