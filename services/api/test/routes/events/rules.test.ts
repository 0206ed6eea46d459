import { newId } from '@switchyard/base';
import { apiFixture, roles, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => (api = await apiFixture()));
afterAll(() => api.close());

const rule = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  trigger: { type: 'core.st2.webhook', parameters: { url: name } },
  action: { ref: 'core.noop', parameters: {} },
  enabled: true,
  ...more,
});
const make = async (name: string, more: Record<string, unknown> = {}) =>
  (await api.ada.post('rules', rule(name, more)).expect(201)).body as Record<string, string>;

describe('a rule', () => {
  it('is shown with its trigger, under its id and its reference', async () => {
    const tags = [{ name: 't', value: 'v', other: 1 }];
    const action = { ref: 'core.noop', parameters: null };
    const made = await make('shown', { context: { user: 'mallory', x: 'y' }, tags, action });
    expect(made).toMatchObject({
      ref: 'default.shown',
      uid: 'rule:default:shown',
      trigger: { type: 'core.st2.webhook', parameters: { url: 'shown' } },
      context: { user: 'ada', x: 'y' },
      tags: [{ name: 't', value: 'v' }],
      action: { ref: 'core.noop', parameters: {} },
      type: { ref: 'standard', parameters: {} },
    });
    for (const named of [made.id, 'default.shown']) {
      expect((await api.ada.get(`rules/${named}`).expect(200)).body).toEqual(made);
    }
    const { body: view } = await api.ada.get('rules/views/default.shown').expect(200);
    expect(view.trigger.description).toMatch(/received a request/);
    expect(view.action.description).not.toBe('');
  });

  it.each(['rules', 'actionalias', 'policies', 'actions'])(
    'is not needed to report an invalid body of PUT /%s',
    async (path) => {
      await api.ada.put(`${path}/default.nowhere`, {}).expect(400);
      await api.ada.put(`${path}/${newId()}`, { name: 1 }).expect(400);
    },
  );

  it('is a 404 for a PUT if it does not exist', async () => {
    const { body } = await api.ada.put('rules/default.nowhere', rule('nowhere')).expect(404);
    expect(body.faultstring).toBe('Resource with a reference or id "default.nowhere" not found');
  });

  it('is replaced under its reference too, and keeps its id', async () => {
    const made = await make('changed');
    const { body } = await api.ada.put('rules/default.changed', rule('changed', { enabled: false })).expect(200);
    expect(body).toMatchObject({ id: made.id, enabled: false });
    expect(body).not.toHaveProperty('description');
  });

  it('is deleted together with its trigger', async () => {
    await make('gone');
    await api.ada.delete('rules/default.gone').expect(204);
    await api.ada.get('webhooks/gone').expect(404);
    await api.ada.delete('rules/default.gone').expect(404);
  });

  it('is refused when its name is taken', async () => {
    const made = await make('taken');
    const { body } = await api.ada.post('rules', rule('taken')).expect(409);
    expect(body['conflict-id']).toBe(made.id);
  });

  it('keeps a correlation', async () => {
    const correlation = { throttle: { count: 3, seconds: 60 } };
    await make('calm', { correlation });
    expect((await api.ada.get('rules/default.calm')).body.correlation).toEqual(correlation);
  });

  it('shows the reference of a deleted trigger', async () => {
    await make('orphan');
    const stored = await api.store.rules.byKey('default.orphan');
    await api.store.rules.replace({ ...(stored as NonNullable<typeof stored>), trigger: 'core.gone' });
    expect((await api.ada.get('rules/default.orphan')).body.trigger).toBe('core.gone');
    expect((await api.ada.get('rules/views/default.orphan')).body.trigger).toBe('core.gone');
  });
});

describe('secret parameters of the action of a rule', () => {
  const secret = { action: { ref: 'core.local', parameters: { cmd: 'date', sudo_password: 'hush' } } };
  const shown = (body: unknown) => JSON.stringify(body).includes('hush');

  it('are masked everywhere, except for users who may see them', async () => {
    await make('quiet', secret);
    for (const path of [
      'rules',
      'rules?name=quiet',
      'rules/default.quiet',
      'rules/views',
      'rules/views/default.quiet',
    ]) {
      const { body } = await api.ada.get(path).expect(200);
      expect([path, shown(body)]).toEqual([path, false]);
    }
    expect(shown((await api.ada.get('rules/default.quiet?show_secrets=true')).body)).toBe(true);
    expect(shown((await api.ada.get('rules?show_secrets=true')).body)).toBe(true);
  });

  it('refuse masks when no secret is stored', async () => {
    const masked = { action: { ref: 'core.local', parameters: { cmd: '********', sudo_password: '********' } } };
    await make('bare');
    const calls = [
      api.ada.post('rules', rule('starry', masked)),
      api.ada.put('rules/default.bare', rule('bare', masked)),
    ];
    for (const call of calls) {
      const { body } = await call.expect(400);
      expect(body.faultstring).toContain(
        '"action.parameters.sudo_password" is secret: expected its value, got the mask',
      );
    }
    await api.ada.get('rules/default.starry').expect(404);
    expect((await api.store.rules.byKey('default.bare'))?.action.ref).toBe('core.noop');
  });

  it('stay unchanged when a client sends back the mask', async () => {
    await make('kept', secret);
    const { body } = await api.ada.get('rules/default.kept');
    await api.ada.put('rules/default.kept', { ...body, enabled: false }).expect(200);
    expect((await api.store.rules.byKey('default.kept'))?.action.parameters).toEqual(secret.action.parameters);
    const other = { ...body.action.parameters, sudo_password: 'other' };
    await api.ada.put('rules/default.kept', { ...body, action: { ...body.action, parameters: other } }).expect(200);
    expect((await api.store.rules.byKey('default.kept'))?.action.parameters.sudo_password).toBe('other');
  });

  it('that cannot be decrypted are reported, do not affect other rules, and stay until there are new ones', async () => {
    const { id } = await make('lost', secret);
    await make('found', secret);
    const stored = await api.store.rules.get(id as string);
    const elsewhere = (await api.withOtherKeys()).rules;
    await elsewhere.replace(stored as NonNullable<typeof stored>);
    const error = expect.stringMatching(
      /^The action parameters of the rule "default\.lost" .* the key file\./,
    ) as string;
    const { body } = await api.ada.get('rules/default.lost?show_secrets=true').expect(200);
    expect(body).toMatchObject({ action: { ref: 'core.local', parameters: {} }, error });
    expect(body).not.toHaveProperty('problem');
    const { body: listed } = await api.ada.get('rules?pack=default&include_attributes=name,error').expect(200);
    expect(listed).toContainEqual({ id, ref: 'default.lost', name: 'lost', error });
    expect(listed).toContainEqual({ id: expect.any(String), ref: 'default.found', name: 'found' });
    const off = await api.ada.put('rules/default.lost', { ...body, enabled: false }).expect(200);
    expect(off.body).toEqual({ ...body, enabled: false });
    expect((await elsewhere.get(id as string))?.action).toEqual(secret.action);
    const anew = await api.ada.put('rules/default.lost', { ...body, action: secret.action }).expect(200);
    expect(anew.body).not.toHaveProperty('error');
    expect((await api.store.rules.get(id as string))?.action).toEqual(secret.action);
  });

  it('that cannot be decrypted run nothing in a backtest', async () => {
    const { id } = await make('blind', secret);
    const stored = await api.store.rules.get(id as string);
    await (await api.withOtherKeys()).rules.replace(stored as NonNullable<typeof stored>);
    await api.ada.post('webhooks/blind', {}).expect(202);
    const { body } = await api.ada.post('rules/backtest', { rule: 'default.blind' }).expect(200);
    expect(body.runs).toMatchObject([{ failure_reason: expect.stringContaining('is not in the key file') as string }]);
  });

  it('are shown only to administrators', async () => {
    const other = await apiFixture({ access: roles });
    const root = await other.as('root');
    await root.post('rules', rule('quiet', secret)).expect(201);
    expect(shown((await other.ada.get('rules/default.quiet?show_secrets=true').expect(200)).body)).toBe(false);
    expect(shown((await root.get('rules/default.quiet?show_secrets=true').expect(200)).body)).toBe(true);
    await other.close();
  });
});

describe('lists of rules', () => {
  beforeAll(async () => {
    await make('l1', { pack: 'lists', action: { ref: 'core.local', parameters: { cmd: 'x' } } });
    await make('l2', { pack: 'lists', enabled: false });
    await make('l3', { pack: 'lists' });
  });

  it.each([
    ['pack=lists', ['l1', 'l2', 'l3']],
    ['pack=lists&enabled=false', ['l2']],
    ['pack=lists&action=core.local', ['l1']],
    ['pack=lists&user=ada&name=l3', ['l3']],
    ['pack=lists&user=nobody', []],
    ['pack=lists&sort=-name&limit=2', ['l3', 'l2']],
    ['pack=lists&offset=2', ['l3']],
  ])('%s', async (query, names) => {
    const { body } = await api.ada.get(`rules?${query}`).expect(200);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('find rules by the reference of their trigger, and count all of them', async () => {
    const { body: one } = await api.ada.get('rules/lists.l1');
    const { body, headers } = await api.ada.get(`rules?trigger=${one.trigger.ref}&include_attributes=name`).expect(200);
    expect(body).toEqual([{ id: one.id, ref: 'lists.l1', name: 'l1' }]);
    expect(headers['x-total-count']).toBe('1');
    expect((await api.ada.get('rules?pack=lists&limit=1')).headers).toMatchObject({
      'x-total-count': '3',
      'x-limit': '1',
    });
  });

  it('refuse an invalid value of enabled', async () => {
    await api.ada.get('rules?enabled=perhaps').expect(400);
  });
});

describe('a refused request', () => {
  it.each([
    [
      { ...rule('bad'), trigger: { type: 'core.nope', parameters: { a: 1 } } },
      /Trigger type with reference "core.nope"/,
    ],
    [
      { ...rule('bad'), trigger: { type: 'core.st2.IntervalTimer', parameters: { delta: -1, unit: 'days' } } },
      /1 or more/,
    ],
    [{ ...rule('bad'), criteria: { a: { type: 'nope', pattern: 1 } } }, /operator nope not in list/],
    [{ ...rule('bad'), type: { ref: 'nope' } }, /rule types are/],
    [{ ...rule('bad'), correlation: { debounce: {} } }, /Invalid correlation of a rule/],
    [{ ...rule('bad'), extra: 1 }, /'extra' was unexpected/],
    [[], /is not of type 'object'/],
  ])('%j leaves nothing behind', async (body, text) => {
    const before = [await api.store.rules.count(), await api.store.triggers.count()];
    expect((await api.ada.post('rules', body as never).expect(400)).body.faultstring).toMatch(text);
    expect([await api.store.rules.count(), await api.store.triggers.count()]).toEqual(before);
  });

  it('does not change the rule that it was sent for', async () => {
    await make('steady');
    const before = await api.store.rules.byKey('default.steady');
    await api.ada.put('rules/default.steady', rule('steady', { trigger: { type: 'core.nope' } })).expect(400);
    expect(await api.store.rules.byKey('default.steady')).toEqual(before);
    await api.ada.get('webhooks/steady').expect(200);
  });
});

describe('rule types', () => {
  it('are standard and backstop', async () => {
    const { body } = await api.ada.get('ruletypes').expect(200);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['standard', 'backstop']);
    expect((await api.ada.get(`ruletypes/${body[0].id}`).expect(200)).body).toEqual(body[0]);
    await api.ada.get('ruletypes/nope').expect(404);
  });
});

describe('rule enforcements', () => {
  it('are listed, and shown with their trigger instance and execution', async () => {
    const execution = await api.ran({ action: 'core.local', parameters: { cmd: 'x', sudo_password: 'hush' } });
    const instance = await api.triggers.dispatch({ trigger: 'core.st2.key_value_pair.create', payload: { object: 1 } });
    const made = { _id: newId(), rule: { ref: 'a.b', id: newId(), uid: 'rule:a:b' }, enforced_at: Date.now() * 1000 };
    const first = { ...made, trigger_instance_id: instance._id, execution_id: execution, status: 'succeeded' as const };
    await api.store.ruleEnforcements.insertOnce({ ...first, request_key: 'one' });
    const failed = { ...made, _id: newId(), trigger_instance_id: newId(), status: 'failed' as const };
    await api.store.ruleEnforcements.insertOnce({ ...failed, failure_reason: 'why', request_key: 'two' });
    const { body: all } = await api.ada.get('ruleenforcements?rule_ref=a.b').expect(200);
    expect(all).toHaveLength(2);
    expect((await api.ada.get('ruleenforcements?status=failed')).body).toMatchObject([{ failure_reason: 'why' }]);
    expect((await api.ada.get(`ruleenforcements?execution=${execution}`)).body).toMatchObject([{ id: first._id }]);
    expect((await api.ada.get(`ruleenforcements/?name=${first._id}`)).body).toMatchObject([{ id: first._id }]);
    const { body: view } = await api.ada.get(`ruleenforcements/views/${first._id}`).expect(200);
    expect(view).toMatchObject({
      trigger_instance: { id: instance._id, payload: { object: 1 } },
      execution: { id: execution, action: { ref: 'core.local' }, runner: { name: 'local-shell-cmd' } },
    });
    expect(view.execution.parameters).toMatchObject({ sudo_password: '********' });
    const { body: views } = await api.ada.get('ruleenforcements/views?rule_ref=a.b&status=failed').expect(200);
    expect(views).toMatchObject([{ trigger_instance: {}, execution: {} }]);
    for (const path of ['ruleenforcements', 'ruleenforcements/views']) {
      const id = newId();
      const { body } = await api.ada.get(`${path}/${id}`).expect(404);
      expect(body).toEqual({ faultstring: `Unable to identify resource with id "${id}".` });
    }
  });
});
