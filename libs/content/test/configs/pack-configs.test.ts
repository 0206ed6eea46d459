import { newId } from '@switchyard/base';
import type { DatastoreKey } from '@switchyard/expressions';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createPackConfigs } from '../../src';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.close());

const items: Record<string, string> = { region: 'south', port: '8443', open: 'true', labels: '["a", "b"]', no: 'many' };

/** Marks secret items as decrypted in the result. */
const lookup = async ({ name, decrypt }: DatastoreKey): Promise<string | undefined> =>
  decrypt ? `decrypted ${name}` : items[name];

async function rendered(attributes: Record<string, unknown> | undefined, values?: Record<string, unknown>) {
  const { configs, configSchemas } = platform.store;
  if (attributes) await configSchemas.upsert({ pack: 'tests', attributes });
  if (values) await configs.upsert({ pack: 'tests', values });
  return createPackConfigs(platform.store).of('tests', lookup);
}

const resolved = async (...given: Parameters<typeof rendered>) => (await rendered(...given)).values;

const text = { type: 'string' };
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });

describe('the configuration that an action gets', () => {
  it('is empty for a pack without one', async () => {
    expect(await resolved(undefined)).toEqual({});
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, unknown]>([
    ['stored values', { a: text }, { a: 'x', b: 1 }, { a: 'x', b: 1 }],
    ['defaults', { a: { ...text, default: 'x' } }, {}, { a: 'x' }],
    ['null in place of defaults', { a: { ...text, default: 'x' } }, { a: null }, { a: null }],
    ['null inside objects', { o: object({ a: { ...text, default: 'x' } }) }, { o: { a: null } }, { o: { a: null } }],
    ['objects and their defaults in place of null', { o: object({ a: { ...text, default: 'x' } }) }, { o: null }, { o: { a: 'x' } }], // oxfmt-ignore
    ['defaults of objects', { o: object({ a: { ...text, default: 'x' } }) }, { o: { b: 1 } }, { o: { a: 'x', b: 1 } }],
    ['missing objects', { o: object({ i: object({ a: text }) }) }, {}, { o: { i: {} } }],
    ['missing lists', { l: { type: 'array', items: text } }, {}, { l: [] }],
    [
      'defaults in items',
      { l: { type: 'array', items: object({ a: { ...text, default: 'x' } }) } },
      { l: [{}, { a: 'y' }] },
      { l: [{ a: 'x' }, { a: 'y' }] },
    ],
    [
      'defaults of further properties',
      { o: { type: 'object', additionalProperties: object({ q: { ...text, default: 'aq' } }) } },
      { o: { k1: {}, k2: null } },
      { o: { k1: { q: 'aq' }, k2: { q: 'aq' } } },
    ],
    [
      'defaults of all matching patterns before those of further properties',
      {
        o: {
          type: 'object',
          properties: { px: object({ a: { ...text, default: 'named' } }) },
          patternProperties: { '^p': object({ a: { ...text, default: 'p' } }), 'p.$': { default: {} } },
          additionalProperties: object({ a: { ...text, default: 'other' } }),
        },
      },
      { o: { p1: {}, q: {} } },
      { o: { px: { a: 'named' }, p1: { a: 'p' }, q: { a: 'other' } } },
    ],
    [
      'defaults of additional items',
      { l: { type: 'array', items: [text], additionalItems: object({ a: { ...text, default: 'x' } }) } },
      { l: ['first', {}] },
      { l: ['first', { a: 'x' }] },
    ],
    ['lists in place of null', { l: { type: 'array', items: text } }, { l: null }, { l: [] }],
  ])('has %s', async (_, attributes, values, expected) => {
    expect(await resolved(attributes, values)).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, unknown]>([
    ['texts', { a: text }, { a: '{{ st2kv.system.region }}!' }, { a: 'south!' }],
    ['texts without a schema', {}, { a: ['{{ st2kv.system.region }}'] }, { a: ['south'] }],
    ['texts under patterns', { o: { type: 'object', patternProperties: { '^p': { type: 'integer' } } } }, { o: { p: '{{ st2kv.system.port }}', q: '{{ st2kv.system.port }}' } }, { o: { p: 8443, q: '8443' } }], // oxfmt-ignore
    ['defaults', { a: { ...text, default: '{{ st2kv.system.region }}' } }, {}, { a: 'south' }],
    ['numbers', { a: { type: 'integer' } }, { a: '{{ st2kv.system.port }}' }, { a: 8443 }],
    ['booleans', { a: { type: 'boolean' } }, { a: '{{ st2kv.system.open }}' }, { a: true }],
    ['lists', { a: { type: 'array' } }, { a: '{{ st2kv.system.labels }}' }, { a: ['a', 'b'] }],
    [
      'numbers that may be texts',
      { a: { type: ['integer', 'string'] } },
      { a: '{{ st2kv.system.port }}' },
      { a: '8443' },
    ],
    ['nothing as null', { a: text }, { a: '{{ st2kv.system.nothing }}' }, { a: null }],
    ['nothing as the default', { a: { ...text, default: 'x' } }, { a: '{{ st2kv.system.nothing }}' }, { a: 'x' }],
    ['nothing as the rendered default', { a: { ...text, default: '{{ st2kv.system.region }}' } }, { a: '{{ st2kv.system.nothing }}' }, { a: 'south' }], // oxfmt-ignore
    ['secrets, decrypted', { a: { ...text, secret: true } }, { a: '{{ st2kv.system.t }}' }, { a: 'decrypted t' }],
    [
      'everything in a secret, decrypted',
      { o: { ...object({ a: text }), secret: true } },
      { o: { a: '{{ st2kv.system.t }}', b: ['{{ st2kv.system.u }}'] } },
      { o: { a: 'decrypted t', b: ['decrypted u'] } },
    ],
  ])('renders %s', async (_, attributes, values, expected) => {
    expect(await resolved(attributes, values)).toEqual(expected);
  });

  it('does not render results again', async () => {
    items['nested'] = '{{ st2kv.system.region }}';
    expect(await resolved({}, { a: '{{ st2kv.system.nested }}' })).toEqual({ a: '{{ st2kv.system.region }}' });
  });

  it('reflects the latest change', async () => {
    const packConfigs = createPackConfigs(platform.store);
    const values = async () => (await packConfigs.of('tests', lookup)).values;
    const { _id } = await platform.store.configs.insert({ _id: newId(), pack: 'tests', values: { a: 1 } });
    expect(await values()).toEqual({ a: 1 });
    await platform.store.configs.replace({ _id, pack: 'tests', values: { a: 2 } });
    expect(await values()).toEqual({ a: 2 });
    expect(await platform.store.configs.removeOf('tests')).toBe(true);
    expect(await values()).toEqual({});
    expect(await platform.store.configs.removeOf('tests')).toBe(false);
  });

  it('is read once for calls that come together, and for each pack on its own', async () => {
    const { configs, configSchemas } = platform.store;
    await configs.insert({ _id: newId(), pack: 'tests', values: { a: 1 } });
    const reads: string[] = [];
    const byKey = async (pack: string) => {
      reads.push(pack);
      if (pack === 'broken') throw new Error('This configuration cannot be read.');
      return configs.byKey(pack);
    };
    const packConfigs = createPackConfigs({ configs: { ...configs, byKey }, configSchemas });
    const packs = ['tests', 'broken', 'tests', 'other', 'tests'];
    const answers = await Promise.allSettled(packs.map(async (pack) => (await packConfigs.of(pack, lookup)).values));
    expect(answers).toMatchObject([
      { value: { a: 1 } },
      { reason: { message: 'This configuration cannot be read.' } },
      { value: { a: 1 } },
      { value: {} },
      { value: { a: 1 } },
    ]);
    expect(reads).toEqual(['tests', 'broken', 'other']);
  });

  it('is refused when a value cannot be rendered, with the reason', async () => {
    const value = '{{ st2kv.system.no | nonsense }}';
    await expect(resolved({}, { o: { a: value } })).rejects.toMatchObject({
      code: 'pack.config-value',
      message: expect.stringContaining(
        `Failed to render dynamic configuration value for key "o.a" with value "${value}" for pack "tests" config: `,
      ) as string,
    });
  });

  it('is refused when a value has the wrong type', async () => {
    await expect(resolved({ a: { type: 'integer' } }, { a: '{{ st2kv.system.no }}' })).rejects.toThrow(
      'for key "a" with value "{{ st2kv.system.no }}" for pack "tests" config: invalid literal',
    );
  });

  it('does not reveal secrets in errors', async () => {
    const attributes = { pin: { type: 'integer', secret: true } };
    const refused = resolved(attributes, { pin: '{{ st2kv.system.pin }}{{ "open sesame" }}' });
    await expect(refused).rejects.toThrow('for key "pin" with value "********"');
    await expect(refused).rejects.not.toThrow(/sesame|decrypted/);
  });

  it('does not reveal decrypted items in errors', async () => {
    const refused = resolved({ pin: { type: 'integer' } }, { pin: '{{ st2kv.system.pin | decrypt_kv }}' });
    await expect(refused).rejects.toThrow('for key "pin"');
    await expect(refused).rejects.not.toThrow(/decrypted/);
  });

  it('limits the number of items a template may read', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `{{ st2kv.system.i${i} }}`).join('');
    await expect(resolved({}, { a: many })).rejects.toMatchObject({ code: 'pack.config' });
  });
});

describe('the secrets of a configuration', () => {
  const secret = { type: 'string', secret: true };

  it.each<[string, Record<string, unknown>, Record<string, unknown>, unknown]>([
    ['nothing', { a: text }, { a: 'x', b: 'y' }, []],
    ['an attribute', { a: text, b: secret }, { a: 'x', b: 'y' }, [['b']]],
    ['its default', { b: { ...secret, default: 'y' } }, {}, [['b']]],
    ['a property', { o: object({ a: text, b: secret }) }, { o: { a: 'x', b: 'y' } }, [['o', 'b']]],
    ['values under a pattern', { o: { type: 'object', patternProperties: { '^p': secret } } }, { o: { p: 'x', q: 'y' } }, [['o', 'p']]], // oxfmt-ignore
    ['further properties', { o: { ...object({ a: text }), additionalProperties: secret } }, { o: { a: 'x', q: 'y' } }, [['o', 'q']]], // oxfmt-ignore
    ['items', { l: { type: 'array', items: object({ b: secret }) } }, { l: [{ b: 'x' }, { a: 'y' }] }, [['l', 0, 'b']]],
    ['a whole object', { o: { ...object({ a: text }), secret: true } }, { o: { a: 'x' } }, [['o']]],
    ['one alternative', { a: { anyOf: [{ type: 'integer' }, secret] } }, { a: 'x' }, [['a']]],
    ['values that a template reads for it', { b: secret }, { b: '{{ st2kv.system.t }}' }, [['b']]],
    ['values that a template decrypts', { a: text }, { a: '{{ st2kv.system.t | decrypt_kv }}' }, [['a']]],
  ])('is %s', async (_, attributes, values, expected) => {
    expect((await rendered(attributes, values)).secrets).toEqual(expected);
  });

  it('is found in objects that a text is cast to', async () => {
    items['mirror'] = '{"host": "far", "password": "hush"}';
    const { values, secrets } = await rendered(
      { mirror: object({ host: text, password: secret }) },
      { mirror: '{{ st2kv.system.mirror }}' },
    );
    expect(values).toEqual({ mirror: { host: 'far', password: 'hush' } });
    expect(secrets).toEqual([['mirror', 'password']]);
  });

  it('is decrypted in alternatives, as elsewhere', async () => {
    const attributes = { a: { anyOf: [{ type: 'integer' }, secret] } };
    expect(await resolved(attributes, { a: '{{ st2kv.system.t }}' })).toEqual({ a: 'decrypted t' });
  });
});
