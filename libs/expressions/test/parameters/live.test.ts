import { isFault } from '@switchyard/base';
import { renderLiveParameters, type ParametersInput } from '../../src';

const shell = {
  cmd: { type: 'string' },
  timeout: { type: 'integer', default: 60 },
  kwarg_op: { type: 'string', default: '--' },
} as const;

/** An action on a shell runner. */
const input = (
  actionParameters: ParametersInput['actionParameters'],
  parameters: Record<string, unknown>,
  more: Partial<ParametersInput> = {},
): ParametersInput => ({
  runnerParameters: shell,
  actionParameters,
  parameters,
  context: { user: 'ann', pack: 'default' },
  ...more,
});

const live = async (...args: Parameters<typeof input>) => (await renderLiveParameters(input(...args))).parameters;

const faultOf = async (...args: Parameters<typeof input>) => {
  try {
    await live(...args);
  } catch (error) {
    if (isFault(error)) return { status: error.status, text: error.message };
    throw error;
  }
  throw new Error('no fault');
};

describe('the parameters that a request stores', () => {
  it('may read each other in a chain of any length', async () => {
    const length = 5000;
    const links = Array.from({ length }, (_, i) => [`p${i}`, { type: 'string', default: `{{ p${i + 1} }}` }]);
    const { p0 } = await live(
      { ...Object.fromEntries(links), [`p${length}`]: { type: 'string' } },
      { [`p${length}`]: 'x' },
    );
    expect(p0).toBe('x');
  });

  const chained = {
    cmd: { type: 'string', default: 'echo {{ c }}', immutable: true },
    a: { type: 'string', required: true },
    b: { type: 'string', default: '{{ a }}-b' },
    c: { type: 'string', default: '{{ b | upper }}' },
  } as const;
  const echo = {
    cmd: { default: 'echo [{{ s }}][{{ d }}]' },
    s: { type: 'string' },
    d: { type: 'string', default: 'dflt' },
  } as const;
  const typed = {
    n: { type: 'integer', default: 5 },
    i: { type: 'integer', default: '{{ n + 1 }}' },
    a: { type: 'array', default: '{{ [n, n] }}' },
    o: { type: 'object', default: "{{ {'k': n} }}" },
    b: { type: 'boolean', default: '{{ n > 3 }}' },
  } as const;

  test.each([
    ['defaults from a parameter', chained, { a: 'x' }, { a: 'x', b: 'x-b', c: 'X-B' }],
    ['a given value for one of them', chained, { a: 'x', b: 'given' }, { a: 'x', b: 'given', c: 'GIVEN' }],
    ['a template for one of them', chained, { a: 'x', b: '{{ a }}{{ a }}' }, { a: 'x', b: 'xx', c: 'XX' }],
    ['nulls', echo, { s: null, d: null }, { s: null, d: 'dflt', cmd: 'echo [None][dflt]' }],
    ['nothing given', echo, {}, { cmd: 'echo [None][dflt]' }],
    ['expressions of every type, still texts', typed, {}, { i: '6', a: '[5, 5]', o: "{'k': 5}", b: 'True' }],
    ['blocks and raw text', {}, { cmd: "echo '{% raw %}{{ kept }}{% endraw %}'" }, { cmd: "echo '{{ kept }}'" }],
    ['an unclosed expression, literally', {}, { cmd: '{{ oops' }, { cmd: '{{ oops' }],
    ['the action context', {}, { cmd: '{{ action_context.user }}' }, { cmd: 'ann' }],
    ['no templates', {}, { cmd: 'date', x: [1, { a: null }] }, { cmd: 'date', x: [1, { a: null }] }],
    [
      'an immutable default over a given value',
      chained,
      { a: 'x', cmd: 'ls' },
      { a: 'x', b: 'x-b', c: 'X-B', cmd: 'echo X-B' },
    ],
  ])('%s', async (_name, definitions, given, expected) => {
    expect(await live(definitions, given)).toEqual(expected);
  });

  test('lists and objects keep the type of an item that is one bare name', async () => {
    const given = {
      n: 3,
      o: { k: 'it"s' },
      list: ['{{n}}', '{{ n }}', 'x{{n}}', '{{o}}', { '{{ n }}': '{{ o.k }}' }, 5],
    };
    const { list } = await live({ n: {}, o: {}, list: { type: 'array' } }, given);
    expect(list).toEqual([3, '3', 'x3', { k: 'it"s' }, { 3: 'it"s' }, 5]);
  });

  test('configuration and rules provide further names', async () => {
    const more = { config: { region: 'eu' }, extra: { trigger: { body: { n: 4 } } } };
    const given = { cmd: '{{ config_context.region }} {{ trigger.body.n + 1 }}' };
    expect(await live({}, given, more)).toEqual({ cmd: 'eu 5' });
  });

  test('a dependent template sees the cast value', async () => {
    const definitions = {
      o: { type: 'object', default: '{{ config_context.mirror }}' },
      cmd: { default: '{{ o.host }}' },
    } as const;
    const more = {
      config: { mirror: { host: 'm1' } },
      cast: (name: string, value: unknown) => (name === 'o' ? { host: 'cast' } : value),
    };
    expect(await live(definitions, {}, more)).toEqual({ o: "{'host': 'm1'}", cmd: 'cast' });
  });

  test.each([
    ['an unknown name', { cmd: { default: 'echo {{ nope }}' } }, {}, 'Dependency unsatisfied in variable "nope"'],
    [
      'itself',
      { cmd: {} },
      { cmd: '{{ cmd }}' },
      'Cyclic dependency found in the following variables: cmd. Likely the variable is referencing itself',
    ],
    [
      'a cycle',
      { a: { default: '{{ b }}' }, b: { default: '{{ a }}' } },
      {},
      'Cyclic dependency found in the following variables: a, b. Likely the variable is referencing itself',
    ],
    [
      'a failing filter',
      {},
      { cmd: '{{ action_context.user | nope }}' },
      `Failed to render parameter "cmd": No filter named 'nope'.`,
    ],
    [
      'a missing key',
      {},
      { cmd: '{{ action_context.nope }}' },
      `Failed to render parameter "cmd": 'dict object' has no attribute 'nope'`,
    ],
  ])('%s is refused', async (_name, definitions, given, text) => {
    expect(await faultOf(definitions, given)).toEqual({ status: 400, text });
  });
});

describe('the datastore', () => {
  const stored: Record<string, string> = { 'system.a': 'A', 'system.a.b': 'AB', 'user.k': 'mine' };

  /** A store that records its reads. */
  const store = () => {
    const asked: string[] = [];
    const lookup: NonNullable<ParametersInput['lookup']> = ({ scope, name, decrypt }) => {
      asked.push(`${scope}.${name}${decrypt ? '!' : ''}`);
      return Promise.resolve(decrypt ? 'plain' : stored[`${scope}.${name}`]);
    };
    return { asked, lookup };
  };

  test('is read once per item, and only for items in use', async () => {
    const { asked, lookup } = store();
    const given = {
      cmd: "{{ st2kv.system.a }}{{ svckv.system.a.b }}{{ st2kv.user.k if false else '' }}{{ st2kv.system.a }}",
      x: '{{ st2kv.system[action_context.which] }}',
    };
    const { cmd, x } = await live({ x: {} }, given, { lookup, context: { which: 'a' } });
    expect([cmd, x, asked]).toEqual(['AABA', 'A', ['system.a', 'system.a.b']]);
  });

  test('default() replaces a missing item', async () => {
    const given = { cmd: "[{{ st2kv.system.no }}] {{ st2kv.system.no | default('unset') }}" };
    expect(await live({}, given, { lookup: store().lookup })).toEqual({ cmd: '[] unset' });
  });

  test('fails the parameter when a read fails', async () => {
    const lookup = () => Promise.reject(new Error('store is down'));
    const fault = await faultOf({}, { cmd: '{{ st2kv.system.a }}' }, { lookup });
    expect(fault.text).toBe('Failed to render parameter "cmd": store is down');
  });
});

describe('secrets', () => {
  test('are followed through templates', async () => {
    const definitions = {
      s: { type: 'string', secret: true },
      t: { type: 'string', default: '{{ s }}!' },
      u: { type: 'string', default: '{{ t | upper }}' },
      v: { type: 'string', default: '{{ action_context.user }}' },
      w: { type: 'string', secret: true, default: '{{ s }}' },
      cmd: { default: 'echo {{ u }}', immutable: true },
    } as const;
    const { parameters, derivedSecrets } = await renderLiveParameters(input(definitions, { s: 'hush' }));
    expect(parameters).toEqual({ s: 'hush', t: 'hush!', u: 'HUSH!', v: 'ann', w: 'hush' });
    expect(derivedSecrets).toEqual(['t', 'u']);
  });

  test('are followed from values that the caller knows as secret', async () => {
    const definitions = {
      sec: { type: 'string' },
      mid: { type: 'string', default: 'm{{ sec }}' },
      cmd: { type: 'string', default: 'echo {{ mid }}' },
      other: { type: 'string', default: '{{ action_context.user }}' },
    } as const;
    const given = { ...input(definitions, { sec: 'hush' }), secret: ['sec'], literal: ['sec'] };
    const { derivedSecrets } = await renderLiveParameters(given);
    expect(derivedSecrets.toSorted()).toEqual(['cmd', 'mid', 'sec']);
    expect((await renderLiveParameters({ ...given, secret: [] })).derivedSecrets).toEqual([]);
  });

  const config = {
    token: 'hush',
    region: 'north',
    mirror: { host: 'far', password: 'sesame' },
    hosts: [{ name: 'a', key: 'k1' }, { name: 'b' }],
    get: { me: 'x' },
  };
  const configSecrets = [['token'], ['mirror', 'password'], ['hosts', 0, 'key']];

  test.each<[string, boolean]>([
    ['{{ config_context.token }}', true],
    ["{{ config_context['token'] | upper | to_json_string }}", true],
    ['{{ config_context.token[:2] }}', true],
    ['{{ config_context.token.upper() }}', true],
    ['{{ config_context.mirror }}', true],
    ['{{ config_context.mirror | to_json_string }}', true],
    ['{{ config_context.mirror.host }}', false],
    ['{{ config_context.mirror.host.upper() }}', false],
    ['{{ config_context }}', true],
    ["{{ config_context.get('token') }}", true],
    ["{{ config_context.mirror.get('host') }}", true],
    ['{{ config_context.items() | list }}', true],
    ['{% set f = config_context.values %}{{ f() | list }}', true],
    ['{{ config_context.get.me }}', false],
    ["{{ config_context['to' ~ 'ken'] }}", true],
    ['{{ config_context.hosts[0].key }}', true],
    ['{{ config_context.hosts[0].name }}', false],
    ['{{ config_context.hosts[1].name }}', false],
    ['{{ config_context.hosts[-1].name }}', true],
    ["{{ config_context.hosts | map(attribute='name') | join }}", true],
    ['{% for h in config_context.hosts %}{{ h.name }}{% endfor %}', true],
    ['{% set c = config_context %}{{ c.token }}', true],
    ['{% if config_context.region %}{{ config_context.token or 1 }}{% endif %}', true],
    ['{{ config_context.region }}', false],
    ['{{ config_context.nothing | default(1) }}', true],
    ['{{ action_context.user }}', false],
  ])('are copied from the configuration by %s: %s', async (template, expected) => {
    const { derivedSecrets } = await renderLiveParameters(input({}, { cmd: template }, { config, configSecrets }));
    expect(derivedSecrets).toEqual(expected ? ['cmd'] : []);
  });

  test('of the configuration are followed through defaults, lists and objects', async () => {
    const definitions = {
      o: { type: 'object', default: { a: ['{{ config_context.token }}'] } },
      p: { type: 'string', default: '{{ o }}' },
      fixed: { type: 'string', default: '{{ config_context.token }}', immutable: true },
      q: { type: 'string', default: '{{ fixed }}' },
      r: { type: 'string', default: '{{ config_context.region }}' },
    } as const;
    const { derivedSecrets } = await renderLiveParameters(input(definitions, {}, { config, configSecrets }));
    expect(derivedSecrets).toEqual(['o', 'p', 'q']);
  });

  test.each<[string, boolean]>([
    ['{{ login }}', true],
    ['{{ login.key }}', true],
    ['{{ login.user }}', false],
  ])('that are parts of a parameter are copied by %s: %s', async (cmd, expected) => {
    const login = { type: 'object', properties: { key: { type: 'string', secret: true } } } as const;
    const given = { cmd, login: { user: 'ada', key: 'hush' } };
    expect((await renderLiveParameters(input({ login }, given))).derivedSecrets).toEqual(expected ? ['cmd'] : []);
  });

  test('do not appear in errors of failing templates', async () => {
    const cmd = '{{ { "a": 1 }[config_context.token] }} {{ config_context.token | from_json_string }}';
    const failure = await faultOf({}, { cmd }, { config, configSecrets });
    expect(failure?.text).toContain('because the template reads a secret');
    expect(failure?.text).not.toContain('hush');
  });

  test('also come from decrypted items', async () => {
    const lookup = () => Promise.resolve('pw');
    const { derivedSecrets } = await renderLiveParameters(
      input({}, { cmd: '{{ st2kv.system.p | decrypt_kv }}' }, { lookup }),
    );
    expect(derivedSecrets).toEqual(['cmd']);
  });
});
