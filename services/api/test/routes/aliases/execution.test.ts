import { fault } from '@switchyard/base';
import type { Actor } from '@switchyard/identity';
import { apiFixture, roles, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  const access = {
    ...roles,
    authorise({ user }: Actor, permission: string, resource?: string) {
      if (user === 'eve' && permission === 'action_execute')
        throw fault('auth.forbidden', { user, permission: `${permission} on ${resource}` });
    },
  };
  api = await apiFixture({ access });
  const parameters = {
    text: { type: 'string' },
    num: { type: 'integer' },
    things: { type: 'array' },
    hush: { type: 'string', secret: true },
    copy: { type: 'string' },
    user: { type: 'string' },
    kept: { type: 'string', default: 'of {{ user }}' },
  };
  await api.ada.post('actions', { name: 'act', runner_type: 'noop', parameters }).expect(201);
  await alias('go');
});
afterAll(() => api.close());

async function alias(name: string, more: object = {}) {
  const whole = { name, pack: 'tests', action_ref: 'default.act', formats: [`${name} {{text=none}}`], ...more };
  return (await api.ada.post('actionalias').send(whole).expect(201)).body;
}

const source = { source_channel: 'room', user: 'chatter' };
const run = (name: string, command: string, more: object = {}, query = '') =>
  api.ada.post(`aliasexecution${query}`).send({ name, format: `${name} {{text=none}}`, command, ...source, ...more });
const say = (command: string, more: object = {}) =>
  api.ada.post('aliasexecution/match_and_execute').send({ command, ...source, ...more });

const parametersOf = async (command: string, more: object = {}) =>
  (await run(command.split(' ')[0]!, command, more).expect(201)).body.execution.parameters;
const faultOf = async (answer: Promise<{ body: { faultstring: string } }>) => (await answer).body.faultstring;

describe('Running an alias', () => {
  it('requests an execution of its action with the parameters of the command', async () => {
    const { body } = await run('go', 'go home num=7', { notification_route: 'hubot' }).expect(201);
    const { id, ref } = body.actionalias;
    expect(Object.keys(body).sort()).toEqual(['actionalias', 'execution']);
    expect(ref).toBe('tests.go');
    expect(body.execution).toMatchObject({
      status: 'requested',
      action: { ref: 'default.act' },
      parameters: { text: 'home', num: 7 },
      context: {
        action_alias_ref: { id, name: 'go' },
        api_user: 'chatter',
        user: 'ada',
        source_channel: 'room',
        pack: 'default',
      },
    });
    expect((await api.executions.get(body.execution.id)).status).toBe('requested');
  });

  it.each([
    ['the route', { notification_route: 'r', notification_channel: 'c' }, 'r'],
    ['the channel, without a route', { notification_channel: 'c', notification_route: '' }, 'c'],
    ['no particular route, without both', { notification_route: null }, null],
  ])('sends its result to %s', async (_, more, route) => {
    const [{ body: one }, { body: all }] = await Promise.all([run('go', 'go', more), say('go', more)]);
    for (const { execution } of [one, all.results[0]])
      expect(execution.liveaction.notify['on-complete']).toMatchObject({
        routes: [route],
        data: { user: 'chatter', source_channel: 'room', source_context: null },
      });
  });

  it('treats the words of a command as data, even if they look like templates', async () => {
    await api.ada.put('keys/word').send({ name: 'word', value: 'found out' }).expect(200);
    const words = 'go {{ st2kv.system.word }}';
    expect(await parametersOf(words)).toMatchObject({ text: '{{ st2kv.system.word }}' });
    const { body } = await run('go', words, { source_context: { said: words } });
    const again = await api.ada.post(`executions/${body.execution.id}/re_run`).send({}).expect(201);
    expect(again.body.parameters).toMatchObject({ text: '{{ st2kv.system.word }}' });
    expect(body.execution.liveaction.notify['on-complete']).toMatchObject({ literal: true });
  });

  it.each([
    ['commas', 'a, b', ['a', 'b']],
    ['brackets', '[1, "b"]', [1, 'b']],
    ['brackets around words', '[a, b]', ['[a', 'b]']],
    ['no sign', 'a', ['a']],
  ])('parses lists with %s', async (_, text, list) => {
    expect(await parametersOf(`go x things='${text}'`)).toMatchObject({ things: list });
  });

  it('passes the fixed parameters of the alias, rendered, and no command can change them', async () => {
    await api.ada.put('keys/word').send({ name: 'word', value: 'stored' }).expect(200);
    await alias('fixed', {
      immutable_parameters: { user: '{{ api_user }} of {{ source_channel }}', num: '{{ 6 * 7 }}', copy: '{{ st2kv.system.word }}' }, // oxfmt-ignore
    });
    expect(await parametersOf('fixed hi')).toEqual({
      text: 'hi',
      user: 'chatter of room',
      num: 42,
      copy: 'stored',
      kept: 'of chatter of room',
    });
    const refused = run('fixed', 'fixed hi num=1 user=me', {}).expect(400);
    expect(await faultOf(refused)).toBe('Immutable arguments cannot be overriden: num,user');
  });

  it('allows defaults for missing names in the fixed parameters of the alias', async () => {
    await alias('sparse', {
      formats: ['sparse {{text=none}}'],
      immutable_parameters: {
        user: "{{ user | default('nobody') }} of {{ pack | default('none') }}",
        copy: "{{ copy | default('none') }}{% if num is defined %} {{ num }}{% endif %}",
        things: ["{{ nobody | default('none') }}", '{{ __context.source_channel }}'],
        num: '{{ text | default(7) }}',
      },
    });
    expect(await parametersOf('sparse hi')).toEqual({
      text: 'hi',
      user: 'ada of none',
      copy: 'none',
      things: ['none', 'room'],
      num: 7,
      kept: 'of ada of none',
    });
  });

  it('refuses a run of an alias whose templates need a missing name', async () => {
    await alias('needy', { immutable_parameters: { copy: '{{ pack }}' } });
    expect(await faultOf(run('needy', 'needy').expect(400))).toBe(
      `Failed to render parameter "copy": 'pack' is undefined`,
    );
  });

  it('shows secrets to administrators on request, and never in chat responses', async () => {
    const key = await api.as('root');
    await key.put('keys/locked').send({ name: 'locked', value: 'keep-this', secret: true }).expect(200);
    await alias('hushed', {
      ack: { format: 'With {{ execution.parameters.hush }}.' },
      immutable_parameters: { copy: '{{ st2kv.system.locked | decrypt_kv }}' },
    });
    const ask = { name: 'hushed', format: 'hushed {{text=none}}', command: 'hushed a hush=abc', ...source };
    for (const [user, hush, copy] of [
      ['ada', '********', '********'],
      ['root', 'abc', 'keep-this'],
    ] as const) {
      const { body } = await (await api.as(user)).post('aliasexecution?show_secrets=true').send(ask).expect(201);
      expect(body.execution.parameters).toMatchObject({ text: 'a', hush, copy });
      expect(body.message).toBe('With ********.');
    }
  });

  it('returns the acknowledgment of the alias, even if it cannot be rendered', async () => {
    const ack = { format: '{{ execution.action.ref }}: {{ actionalias.name }}', extra: { a: ['{{ __context.execution.status }}'], b: 1 } }; // oxfmt-ignore
    await alias('acked', { ack });
    const { body } = await run('acked', 'acked').expect(201);
    expect(body).toMatchObject({ message: 'default.act: acked', extra: { a: ['requested'], b: 1 } });
    await alias('unsayable', { ack: { format: '{{ nobody.name }}', extra: { a: '{{ nobody.name }}' } } });
    expect((await run('unsayable', 'unsayable').expect(201)).body).toMatchObject({
      message: expect.stringMatching(/^Cannot render "format" in field "ack" for alias\. .*nobody/),
      extra: expect.stringMatching(/^Cannot render "extra" in field "ack" for alias\. .*nobody/),
    });
  });

  it('takes effect once for an idempotency key', async () => {
    const [first, second] = [await keyed(), await keyed()];
    expect(second).toBe(first);
    async function keyed() {
      const request = run('go', 'go once').set('idempotency-key', 'only-once');
      return (await request.expect(201)).body.execution.id as string;
    }
  });

  it('needs the permission to execute the action', async () => {
    const eve = await api.as('eve');
    const asked = { name: 'go', format: 'go {{text=none}}', command: 'go', ...source };
    const refused = eve.post('aliasexecution').send(asked).expect(403);
    expect(await faultOf(refused)).toContain('action_execute on action:default:act');
    await eve
      .post('aliasexecution/match_and_execute')
      .send({ command: 'go', ...source })
      .expect(403);
  });

  it.each<[string, object, number, string]>([
    ['an unknown name', { name: 'nope' }, 404, 'Unable to identify action alias with name "nope".'],
    ['no name', { name: '' }, 400, 'Alias execution "name" is required'],
    ['another format', { format: 'x' }, 400, 'Format string "x" is not available on the alias "go"'],
    ['a command that does not match', { command: 'come' }, 400, 'Command "come" doesn\'t match format string "go {{text=none}}"'], // oxfmt-ignore
    ['a parameter that the action does not have', { command: 'go x more=1' }, 400, "Additional properties are not allowed ('more' was unexpected)"], // oxfmt-ignore
    ['a value of another type', { command: 'go x num=many' }, 400, 'Failed to cast value "many" (type: str) for parameter "num" of type "integer"'], // oxfmt-ignore
    ['an unknown field', { colour: 'red' }, 400, "Additional properties are not allowed ('colour' was unexpected)"],
  ])('is refused with %s', async (_, more, status, text) => {
    expect(await faultOf(run('go', 'go', more).expect(status))).toContain(text);
  });

  it('is refused when the alias is disabled, or its action was deleted', async () => {
    await alias('resting', { enabled: false });
    const disabled = 'Action alias with name "resting" is disabled.';
    expect(await faultOf(run('resting', 'resting').expect(400))).toBe(disabled);
    await alias('lost', { action_ref: 'tests.lost' });
    for (const answer of [run('lost', 'lost'), say('lost')])
      expect(await faultOf(answer.expect(404))).toBe('Action with ref "tests.lost" not found');
  });
});

describe('Aliases of the same name', () => {
  beforeAll(async () => {
    await alias('same', { pack: 'left' });
    await alias('same', { pack: 'right', formats: ['same {{text=none}}', 'right {{text}}'] });
  });

  it('are distinguished by reference, and by a format that only one has', async () => {
    const byRef = await run('right.same', 'same', { format: 'same {{text=none}}' }).expect(201);
    expect(byRef.body.actionalias.ref).toBe('right.same');
    const byFormat = await run('same', 'right x', { format: 'right {{text}}' }).expect(201);
    expect(byFormat.body.actionalias.ref).toBe('right.same');
    expect((await say('right x').expect(201)).body.results[0].actionalias.ref).toBe('right.same');
  });

  it('cannot be run by a name and format that both have', async () => {
    expect(await faultOf(run('same', 'same').expect(400))).toContain('"same": left.same, right.same');
  });
});

describe('A command with several matches', () => {
  const multiple = {
    representation: ['(?:\\s|^)(?P<text>T-[0-9]+)(?: of (?P<num>\\w+))?(?:\\s|$)'],
    match_multiple: true,
  };

  it('runs the alias for each of them', async () => {
    await alias('several', { formats: [multiple] });
    const { body } = await say('look at T-1 and T-2').expect(201);
    const texts = body.results.map(({ execution }: { execution: { parameters: object } }) => execution.parameters);
    expect(texts).toMatchObject([{ text: 'T-1' }, { text: 'T-2' }]);
    const [format] = multiple.representation;
    const one = await run('several', 'look at T-1 and T-2', { format }).expect(201);
    expect(one.body.execution.parameters).toMatchObject({ text: 'T-1' });
  });

  it('runs nothing when one of them is refused', async () => {
    const before = await api.store.executions.count({});
    await say('look at T-1 and T-2 of many').expect(400);
    expect(await api.store.executions.count({})).toBe(before);
  });
});
