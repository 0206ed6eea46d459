import { newId, systemClock } from '@switchyard/base';
import { createRoleAccess } from '@switchyard/identity';
import type { ExecutionRecord } from '@switchyard/model';
import { anExecution } from '@switchyard/testkit/system';
import { apiFixture, type ApiFixture, type Client } from '../support/api-fixture';
import { giveRole } from '@switchyard/testkit/callers';

let api: ApiFixture;
let admin: Client;
let eve: Client;
beforeAll(async () => {
  api = await apiFixture({
    access: (store) => createRoleAccess({ store, clock: systemClock() }),
    overrides: { rbac: { enable: true, backend: 'default' } },
  });
  await giveRole(api.store, 'admin', [], true);
  const lists = ['action', 'action_alias', 'rule', 'rule_enforcement', 'execution', 'pack', 'policy', 'trigger', 'trace', 'api_key', 'webhook', 'timer', 'inquiry', 'key_value_pair', 'runner_type', 'sensor_type', 'policy_type']; // oxfmt-ignore
  const everyList = lists.map((type) => `${type}_list`);
  await giveRole(api.store, 'eve', [...everyList, 'execution_views_filters_list', 'action_view@action:core:noop', 'rule_view@pack:mine']); // oxfmt-ignore
  admin = await api.as('admin');
  eve = await api.as('eve');
});
afterAll(() => api.close());

const run = async (action: string, parameters = {}) => {
  const { body } = await admin.post('executions', { action, parameters }).expect(201);
  await api.end(body.id);
  return body.id as string;
};
const idsOf = async (path: string) => {
  const { body, headers } = await eve.get(path).expect(200);
  return { ids: (body as { id: string }[]).map(({ id }) => id), total: headers['x-total-count'] };
};

describe('A user whose role permits one action', () => {
  it('finds only its executions in lists, counts, filters and children, and by the word last', async () => {
    const [shown] = [await run('core.noop'), await run('core.local', { cmd: 'hidden-command' })];
    expect(await idsOf('executions')).toEqual({ ids: [shown], total: '1' });
    expect((await idsOf('liveactions')).ids).toHaveLength(1);
    expect(await idsOf('executions?action=core.local')).toEqual({ ids: [], total: '0' });
    expect((await eve.get('executions/views/filters').expect(200)).body).toMatchObject({
      action: ['core.noop'],
      runner: ['noop'],
    });
    expect((await eve.get('executions/last').expect(200)).body.id).toBe(shown);
    expect((await eve.get('executions/last/output').expect(200)).text).toBe('');
  });

  it.each(['', '/output', '/children', '/graph', '/tasks/one/context', '/result', '/attribute/status'])(
    'gets the same response for executions%s of others and for unknown ones',
    async (part) => {
      const id = await run('core.local', { cmd: 'true' });
      const answers = await Promise.all(
        [id, newId()].map(async (each) => {
          const { status, body } = await eve.get(`executions/${each}${part}`);
          return [status, String(body.faultstring).replace(each, 'ID')];
        }),
      );
      const refusal = [403, 'User "eve" doesn\'t have required permission "execution_view" on resource "execution:ID"'];
      expect(answers).toEqual([refusal, refusal]);
    },
  );

  it.each([
    ['actions/core.local', 'action_view', 'action:core:local'],
    ['actions/core.unknown', 'action_view', 'action:core:unknown'],
    ['rules/theirs.rule', 'rule_view', 'rule:theirs:rule'],
    ['packs/core', 'pack_view', 'pack:core'],
    ['triggers/core.st2.generic.actiontrigger', 'trigger_view', 'trigger:core:st2.generic.actiontrigger'],
    ['configs/core', 'pack_view', 'pack:core'],
    ['policies/core.x', 'policy_view', 'policy:core:x'],
    ['runnertypes/noop', 'runner_type_view', 'runner_type:noop'],
    ['webhooks/some/hook', 'webhook_view', 'webhook:some/hook'],
  ])('is refused %s with an error that names only what was requested', async (path, permission, uid) => {
    const { status, body } = await eve.get(path);
    const text = `User "eve" doesn't have required permission "${permission}" on resource "${uid}"`;
    expect([status, body.faultstring]).toEqual([403, text]);
  });

  it('does not find out what an id refers to', async () => {
    const { body: action } = await admin.get('actions/core.local').expect(200);
    const { body } = await eve.get(`actions/${action.id}`).expect(403);
    expect(body.faultstring).toContain(`on resource "action:${action.id}"`);
  });

  it('can find out with a grant on a pack which records are missing in it', async () => {
    await eve.get('rules/mine.none').expect(404);
  });

  it.each([
    'actions',
    'actions/views/overview',
    'actionalias',
    'packs',
    'configs',
    'policies',
    'triggers',
    'triggertypes',
    'triggerinstances',
    'rules',
    'rules/views',
    'ruleenforcements',
    'ruleenforcements/views',
    'traces',
    'apikeys',
    'webhooks',
    'timers',
    'inquiries',
    'keys',
    'runnertypes',
    'sensortypes',
    'policytypes',
  ])(
    // oxfmt-ignore
    'finds nothing else in /%s',
    async (path) => {
      const wanted = path.startsWith('actions') ? 1 : 0;
      const { ids, total } = await idsOf(path);
      expect([ids.length, total ?? String(ids.length)]).toEqual([wanted, String(wanted)]);
    },
  );

  it('finds only aliases that it may view or whose action it may execute, in matches and in the help', async () => {
    const alias = (name: string, pack: string, action_ref: string) =>
      admin.post('actionalias', { name, pack, action_ref, formats: [`${name} {{it}}`] }).expect(201);
    await Promise.all([
      alias('seen', 'mine', 'core.local'),
      alias('used', 'theirs', 'core.noop'),
      alias('hidden', 'theirs', 'core.local'),
    ]);
    const all = ['action_alias_match', 'action_alias_help', 'action_alias_view@pack:mine', 'action_execute@action:core:noop']; // oxfmt-ignore
    await giveRole(api.store, 'speaker', all);
    const speaker = await api.as('speaker');
    const { body: help } = await speaker.get('actionalias/help').expect(200);
    expect(help.helpstrings.map(({ display }: { display: string }) => display)).toEqual(['seen {{it}}', 'used {{it}}']);
    const match = (command: string) => speaker.post('actionalias/match', { command });
    await match('seen x').expect(200);
    await match('used x').expect(200);
    const source = { source_channel: 'room', user: 'bot' };
    const run = (name: string) =>
      speaker.post('aliasexecution', { name, format: `${name} {{it}}`, command: `${name} x`, ...source });
    const say = (command: string) => speaker.post('aliasexecution/match_and_execute', { command, ...source });
    for (const answer of [match, run, say].map(
      (ask) => async (name: string) => ask(ask === run ? name : `${name} x`),
    )) {
      const [hidden, unknown] = [await answer('hidden'), await answer('missing')];
      const text = String(hidden.body.faultstring).replaceAll('hidden', 'missing');
      expect([hidden.status, text]).toEqual([unknown.status, unknown.body.faultstring]);
      expect(hidden.status).toBeLessThan(405);
    }
  });

  it.each(['', '# long\n'.repeat(2000)])(
    'does not find out from an inspection which actions exist (%#)',
    async (start) => {
      const inspected = async (action: string) => {
        const text = `${start}version: 1.0\ntasks:\n  a:\n    action: ${action}\n    input: {wrong: 1}\n`;
        return (await eve.post('workflows/inspect', text).type('text/plain').expect(200)).body as { message: string }[];
      };
      expect(await inspected('core.local')).toEqual([]);
      expect(await inspected('core.none')).toEqual([]);
      expect((await inspected('core.noop')).map(({ message }) => message)).toEqual([
        'Action "core.noop" has unexpected input "wrong".',
      ]);
    },
  );

  it('finds its own executions below an execution, and those of others only with a permission', async () => {
    const stored = (action_ref: string, user: string, more: Partial<ExecutionRecord> = {}) => {
      const record = anExecution({ action_ref, context: { user, pack: 'core' }, ...more });
      return api.store.executions.insert(record).then(() => record._id);
    };
    const root = await stored('core.noop', 'admin', { has_children: true });
    const below = { parent: root };
    const [shown, own] = [await stored('core.noop', 'admin', below), await stored('core.local', 'eve', below)];
    const hidden = await stored('core.local', 'admin', { ...below, has_children: true });
    const deeper = await stored('core.noop', 'admin', { parent: hidden });
    const { body } = await eve.get(`executions/${root}/children`).expect(200);
    expect((body as { id: string }[]).map(({ id }) => id).sort()).toEqual([shown, own].sort());
    const { body: all } = await admin.get(`executions/${root}/children`).expect(200);
    expect((all as { id: string }[]).map(({ id }) => id).sort()).toEqual([shown, own, hidden, deeper].sort());
  });

  it('finds only the parts of a trace that it may view, and finds traces only by these', async () => {
    const begin = async (action: string, trace_context: object, parameters = {}) => {
      const { body } = await admin.post('executions', { action, parameters, context: { trace_context } }).expect(201);
      await api.end(body.id);
      return body.id as string;
    };
    const hidden = await begin('core.local', { trace_tag: 'shared' }, { cmd: 'true' });
    const [{ id }] = (await admin.get(`traces?execution=${hidden}`).expect(200)).body;
    const shown = await begin('core.noop', { id_: id });
    await giveRole(api.store, 'tracer', ['trace_list', `trace_view@trace:${id}`, 'action_view@action:core:noop']);
    const tracer = await api.as('tracer');
    const parts = async (reader: Client) => {
      const { body } = await reader.get(`traces/${id}`).expect(200);
      return (body.action_executions as { object_id: string }[]).map(({ object_id }) => object_id);
    };
    expect([await parts(tracer), await parts(admin)]).toEqual([[shown], [hidden, shown]]);
    const found = async (execution: string) => (await tracer.get(`traces?execution=${execution}`).expect(200)).body;
    expect([(await found(shown)).length, await found(hidden)]).toEqual([1, []]);
  });

  it('sees in views of rules only the descriptions of triggers and actions that it may view', async () => {
    const trigger = { type: 'core.st2.webhook', parameters: { url: 'described' } };
    const rule = { name: 'described', pack: 'mine', trigger, action: { ref: 'core.local', parameters: { cmd: 'x' } } };
    await admin.post('rules', rule).expect(201);
    const views = async (reader: Client) => [
      (await reader.get('rules/views/mine.described').expect(200)).body,
      (await reader.get('rules/views?name=described').expect(200)).body[0],
    ];
    for (const { trigger, action } of await views(eve))
      expect([trigger.description, action.description]).toEqual(['', '']);
    for (const { trigger, action } of await views(admin)) {
      expect(trigger.description).not.toBe('');
      expect(action.description).not.toBe('');
    }
    await admin.delete('rules/mine.described').expect(204);
  });

  it('sees no policies and keys of others although it may create its own', async () => {
    await giveRole(api.store, 'creator', ['policy_create', 'policy_list', 'api_key_create', 'api_key_list']);
    const creator = await api.as('creator');
    await admin.post('apikeys', {}).expect(201);
    const policy = { pack: 'mine', policy_type: 'action.concurrency', resource_ref: 'core.local', parameters: { threshold: 1 } }; // oxfmt-ignore
    const { body: made } = await admin.post('policies', { name: 'theirs', ...policy }).expect(201);
    const { body: key } = await creator.post('apikeys', {}).expect(201);
    expect((await creator.get('apikeys').expect(200)).body).toMatchObject([{ id: key.id }]);
    expect((await creator.get('policies').expect(200)).body).toEqual([]);
    const refused = await creator.post('policies', { name: 'mine', ...policy }).expect(409);
    expect(JSON.stringify(refused.body)).not.toMatch(new RegExp(`theirs|${made.id}`));
    const named = await admin.post('policies', { name: 'mine', ...policy }).expect(409);
    expect(named.body.faultstring).toContain('mine.theirs');
    await admin.delete('policies/mine.theirs').expect(204);
  });

  it('may not send or answer anything in the name of others', async () => {
    await giveRole(api.store, 'runner', ['action_execute@pack:core', 'api_key_create']);
    const runner = await api.as('runner');
    const begin = (body: object) => runner.post('executions', { action: 'core.noop', ...body });
    await begin({ user: 'admin' }).expect(403);
    await begin({ context: { parent: { execution_id: await run('core.local', { cmd: 'true' }) } } }).expect(403);
    await runner.post('apikeys', { user: 'admin' }).expect(403);
    await begin({}).expect(201);
  });

  it('may cancel an inquiry that it may stop, but not answer it for the intended users', async () => {
    await giveRole(api.store, 'stopper', ['execution_stop@pack:core']);
    const asked = await admin.post('executions', { action: 'core.ask' }).expect(201);
    const stopper = await api.as('stopper');
    const change = (status: string) => stopper.put(`executions/${asked.body.id}`, { status, result: {} });
    const { body } = await change('succeeded').expect(403);
    expect(body.faultstring).toContain('is an inquiry');
    await change('canceled').expect(200);
  });
});

describe('With permission isolation', () => {
  it('users see only executions and rules of their own', async () => {
    const own = await apiFixture({
      access: (store) => createRoleAccess({ store, clock: systemClock() }),
      overrides: { rbac: { enable: true, backend: 'default', permission_isolation: true } },
    });
    await giveRole(own.store, 'observer', [], true);
    const observer = await own.as('observer');
    const stored = (user: string) => anExecution({ action_ref: 'core.noop', context: { user, pack: 'core' } });
    const [theirs, mine] = [stored('ada'), stored('observer')];
    for (const record of [theirs, mine]) await own.store.executions.insert(record);
    const { body, headers } = await observer.get('executions?include_attributes=status').expect(200);
    expect([body.map(({ id }: { id: string }) => id), headers['x-total-count']]).toEqual([[mine._id], '1']);
    const refused = await observer.get(`executions/${theirs._id}`).expect(403);
    expect(refused.body.faultstring).toBe(
      `User "observer" doesn't have access to resource "execution:${theirs._id}" due to resource permission isolation.`,
    );
    await own.close();
  });
});
