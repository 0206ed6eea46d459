import { checkConfig } from '../../src/configs/check-config';

const attributes = {
  endpoint: { type: 'string', required: true, default: 'http://near' },
  region: { type: 'string', enum: ['north', 'south'], default: 'north' },
  attempts: { type: 'integer', minimum: 1, maximum: 9 },
  token: { type: 'string', secret: true },
  pin: { type: 'integer', secret: true, enum: [1111] },
  mirror: {
    type: 'object',
    additionalProperties: false,
    properties: { host: { type: 'string' }, password: { type: 'string', secret: true } },
  },
  labels: { type: 'array', items: { type: 'string' } },
  keys: { type: 'array', items: { type: 'object', properties: { key: { type: 'string', secret: true } } } },
  ports: { type: 'object', additionalProperties: { type: 'integer' } },
};

const found = (values: Record<string, unknown>) =>
  checkConfig(values, attributes).map(({ path, text }) => [path.join('.'), text]);

describe('a configuration', () => {
  it.each<[string, Record<string, unknown>]>([
    ['has only defaults', {}],
    ['has keys unknown to the schema', { colour: 'red' }],
    ['has null where nothing is required', { attempts: null, mirror: null }],
    ['has partial objects', { mirror: { host: 'far' } }],
    ['has a template in place of a number', { attempts: '{{ st2kv.system.attempts }}' }],
    ['has a template in place of a choice', { region: '{{ st2kv.system.region }}' }],
    ['has a template in place of an object', { mirror: '{{ st2kv.system.mirror }}' }],
    ['has a template in an object', { ports: { web: '{{ st2kv.system.port }}', mail: 25 } }],
    ['has a template in a list', { labels: ['a', '{% if true %}b{% endif %}'] }],
  ])('is accepted if it %s', (_, values) => {
    expect(found(values)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['a number as a text', { attempts: 'many' }, 'attempts', "'many' is not of type 'integer'"],
    ['a number that is too big', { attempts: 10 }, 'attempts', '10 is greater than the maximum of 9'],
    ['a value outside the choices', { region: 'west' }, 'region', "'west' is not one of ['north', 'south']"],
    ['an unknown part of an object', { mirror: { hots: 'x' } }, 'mirror', "('hots' was unexpected)"],
    ['a wrong item', { labels: ['a', 1] }, 'labels.1', "1 is not of type 'string'"],
    ['a wrong value next to a template', { ports: { web: '{{ p }}', mail: 'x' } }, 'ports.mail', "'x' is not of type"],
  ])('is refused for %s', (_, values, field, text) => {
    expect(found(values)).toEqual([[field, expect.stringContaining(text)]]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['of a wrong type', { token: 55512 }, 'token'],
    ['outside the choices', { pin: 55512 }, 'pin'],
    ['as a template that is decrypted twice', { token: '{{ st2kv.system.x55512 | decrypt_kv }}' }, 'token'],
    ['inside of an object', { mirror: { password: '55512', hots: 'x' } }, 'mirror'],
    ['in place of the object that holds it', { mirror: '55512' }, 'mirror'],
    ['in place of the list that holds it', { keys: '55512' }, 'keys'],
    ['in place of an item that holds it', { keys: ['55512'] }, 'keys.0'],
    ['of a wrong type in a list', { keys: [{ key: 55512 }] }, 'keys.0.key'],
  ])('does not reveal a secret %s', (_, values, field) => {
    const [[path, text] = []] = found(values);
    expect(path).toBe(field);
    expect(text).not.toContain('55512');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an attribute', { token: '{{ st2kv.system.t | decrypt_kv }}' }, 'token'],
    ['an object', { mirror: { password: '{{ st2kv.system.t | decrypt_kv }}' } }, 'mirror.password'],
  ])('rejects decrypt_kv for the secret of %s, which is decrypted automatically', (_, values, field) => {
    const text = /^Values specified as "secret: True" in config schema are automatically decrypted by default\./;
    expect(found(values)).toEqual([[field, expect.stringMatching(text)]]);
  });

  it('may decrypt values that are not secret', () => {
    expect(found({ endpoint: '{{ st2kv.system.t | decrypt_kv }}' })).toEqual([]);
  });
});
