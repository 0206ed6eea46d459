import { systemClock } from '@switchyard/base';
import { createRoleAccess } from '@switchyard/identity';
import { giveRole } from '@switchyard/testkit/callers';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture({
    access: (store) => createRoleAccess({ store, clock: systemClock() }),
    overrides: { rbac: { enable: true, backend: 'default' } },
  });
  await giveRole(api.store, 'admin', [], true);
  const rules = ['rule_create@pack:default', 'action_execute@action:core:local', 'trigger_view@trigger:core:st2.generic.notifytrigger']; // oxfmt-ignore
  const item = 'key_value_pair:st2kv.system:shelf';
  await giveRole(api.store, 'stanley', [`key_value_pair_view@${item}`]);
  await giveRole(api.store, 'author', rules);
  await giveRole(api.store, 'reader', [...rules, `key_value_pair_view@${item}`]);
  await api.datastore.put({ scope: 'system', name: 'shelf' }, { value: 'treasure' });
  await api.triggers.dispatch({ trigger: 'core.st2.generic.notifytrigger', payload: {}, validate: false });
});
afterAll(() => api.close());

const rule = {
  ...{ name: 'r', pack: 'default', trigger: { type: 'core.st2.generic.notifytrigger', parameters: {} } },
  action: { ref: 'core.local', parameters: { cmd: 'echo {{ st2kv.system.shelf }}' } },
};

it('A backtest reads items as its caller, although the rule would read them as the system user', async () => {
  const runs = async (user: string) => {
    const { body } = await (await api.as(user)).post('rules/backtest', { rule }).expect(200);
    return body.runs as { parameters?: { cmd: string }; failure_reason?: string }[];
  };
  const [shown] = await runs('reader');
  expect(shown?.parameters?.cmd).toBe('echo treasure');
  expect((await runs('admin'))[0]?.parameters?.cmd).toBe('echo treasure');
  const [refused] = await runs('author');
  expect(refused?.failure_reason).toContain('key_value_pair_view');
  expect(JSON.stringify(refused)).not.toContain('treasure');
});
