import { systemClock } from '@switchyard/base';
import { createRoleAccess } from '@switchyard/identity';
import type { HeldPermission } from '@switchyard/model';
import { giveRole } from '@switchyard/testkit/callers';
import request from 'supertest';
import { apiFixture, type ApiFixture, type Client } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture({
    access: (store) => createRoleAccess({ store, clock: systemClock() }),
    overrides: { rbac: { enable: true, backend: 'default' } },
  });
  await giveRole(api.store, 'admin', [], true);
  await giveRole(api.store, 'eve', ['rule_list', 'action_execute@pack:deploy', 'action_execute@action:core:noop']);
});
afterAll(() => api.close());

/** The resources by permission type. */
const heldBy = async (client: Client, query = '') => {
  const { body } = await client.get(`user/permissions${query}`).expect(200);
  const held = (body as HeldPermission[]).map(
    ({ permission_type: type, everywhere, resources }) => [type, everywhere ? 'everywhere' : resources] as const,
  );
  return Object.fromEntries(held);
};

const EVE = {
  rule_list: 'everywhere',
  action_execute: ['pack:deploy', 'action:core:noop'],
  action_view: ['pack:deploy', 'action:core:noop'],
  execution_view: ['pack:deploy', 'action:core:noop'],
  execution_rerun: ['pack:deploy', 'action:core:noop'],
  execution_stop: ['pack:deploy', 'action:core:noop'],
  inquiry_view: ['pack:deploy', 'action:core:noop'],
  inquiry_respond: ['pack:deploy', 'action:core:noop'],
};

describe('GET /user/permissions', () => {
  it('shows what the roles of a user permit, with what that includes', async () => {
    expect(await heldBy(await api.as('eve'))).toEqual(EVE);
    expect(await heldBy(await api.as('nobody'))).toEqual({});
  });

  it('shows administrators the permissions of others, and nobody else', async () => {
    const admin = await api.as('admin');
    const own = await heldBy(admin);
    expect([own['rule_delete'], own['audit_view'], own['stream_view']]).toEqual(Array(3).fill('everywhere'));
    expect(await heldBy(admin, '?user=eve')).toEqual(EVE);
    const eve = await api.as('eve');
    expect((await eve.get('user/permissions?user=admin').expect(403)).body.faultstring).toMatch(/administrator/i);
  });

  it('shows only what a restricted key permits', async () => {
    const limits = { permission_grants: [{ resource_uid: 'action:core:noop', permission_types: ['action_execute'] }] };
    const { key } = await api.identities.apiKeys.create({ user: 'admin', metadata: {}, enabled: true, limits });
    const { body } = await request(`${api.url}/v1`).get('/user/permissions').set('svc-api-key', key!).expect(200);
    expect((body as HeldPermission[]).find(({ permission_type: type }) => type === 'action_execute')).toEqual({
      permission_type: 'action_execute',
      description: 'Run an action.',
      everywhere: false,
      resources: ['action:core:noop'],
    });
    expect((body as HeldPermission[]).some(({ everywhere }) => everywhere)).toBe(false);
  });
});
