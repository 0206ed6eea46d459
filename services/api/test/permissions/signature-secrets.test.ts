import { systemClock } from '@switchyard/base';
import { createRoleAccess } from '@switchyard/identity';
import { apiFixture, type ApiFixture } from '../support/api-fixture';
import { giveRole } from '@switchyard/testkit/callers';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture({
    access: (store) => createRoleAccess({ store, clock: systemClock() }),
    overrides: { rbac: { enable: true, backend: 'default' } },
  });
  const rules = ['rule_create@rule:default:deploy', 'action_execute@action:core:noop', 'webhook_create@webhook:deploy'];
  await giveRole(api.store, 'without', rules);
  await giveRole(api.store, 'with', [...rules, 'key_value_pair_view@key_value_pair:st2kv.system:hook']);
});
afterAll(() => api.close());

const signature = { scheme: 'gitlab', secrets: ['hook'] };
const rule = {
  name: 'deploy',
  pack: 'default',
  trigger: { type: 'core.st2.webhook', parameters: { url: 'deploy', signature } },
  action: { ref: 'core.noop' },
};

// A user who could name any item could find out its value by guessing.
it('A rule checks signatures only with items that its author may view', async () => {
  const [without, allowed] = [await api.as('without'), await api.as('with')];
  const { body } = await without.post('rules', rule).expect(403);
  expect(body.faultstring).toContain('"key_value_pair_view" on resource "key_value_pair:st2kv.system:hook"');
  await allowed.post('rules', rule).expect(201);
});
