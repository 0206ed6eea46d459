import { fault } from '@switchyard/base';
import { evaluate, evaluateWithDatastore, ExpressionError, withReads, type DatastoreKey } from '../../src';
import { scopeOf } from './scope-of';

describe('work that reads', () => {
  test('restarts until it has everything, and reads each value once', async () => {
    const loaded: string[] = [];
    let runs = 0;
    const result = await withReads((read) => {
      runs += 1;
      const get = (key: string) => read(key, () => Promise.resolve(void loaded.push(key)).then(() => key.length));
      return get('a') + get('bcd') + get('a');
    });
    expect({ result, loaded, runs }).toEqual({ result: 5, loaded: ['a', 'bcd'], runs: 3 });
  });

  test('turns a refusal into a failure of its expression, and rejects with other errors', async () => {
    const refused = withReads((read) => read('a', () => Promise.reject(fault('expression.dependency-unsatisfied', { name: 'a' })))); // oxfmt-ignore
    await expect(refused).rejects.toThrow(ExpressionError);
    const outage = new Error('the store is gone');
    await expect(withReads((read) => read('a', () => Promise.reject(outage)))).rejects.toBe(outage);
  });

  test('is refused if it reads endlessly', async () => {
    let count = 0;
    const endless = withReads((read) => {
      for (let index = 0; index <= count; index += 1) read(String(index), () => Promise.resolve((count += 1)));
    });
    await expect(endless).rejects.toThrow('One evaluation may read at most 1000 values.');
  });
});

describe('datastore items in expressions', () => {
  const items: Readonly<Record<string, string>> = {
    'system/a': 'A',
    'user/a': 'mine',
    'system/which': 'a',
    'user/x.y': 'dots',
  };
  const asked: DatastoreKey[] = [];
  const lookup = async (key: DatastoreKey): Promise<string | undefined> => {
    asked.push(key);
    const stored = items[`${key.scope}/${key.name}`];
    return Promise.resolve(key.decrypt && stored !== undefined ? `decrypted ${stored}` : stored);
  };
  const evaluated = (value: unknown) =>
    evaluateWithDatastore(value, lookup, (datastore) => scopeOf({ st2: { user: 'ada' } }, { datastore }));

  beforeEach(() => asked.splice(0));

  test.each<[string, unknown]>([
    ["{{ st2kv('system.a') }}", 'A'],
    ["{{ svckv('a') ~ st2kv('x.y') }}", 'minedots'],
    ["{{ st2kv('system.' ~ st2kv('system.which')) }}", 'A'],
    ["{{ st2kv('system.a', decrypt=true) }}", 'decrypted A'],
    ["{{ 'system.a' | st2kv }}", 'A'],
    ["{{ st2kv('no', default='') }}", ''],
    ["{{ st2kv('no', default=none) }}", null],
    ["{{ st2kv('system.a', default='other') }}", 'A'],
    ['<% st2kv("system.a") %>', 'A'],
    ["<% st2kv('system.a', decrypt => true) + st2kv(a) %>", 'decrypted Amine'],
    ["<% st2kv(no, default => 5) %>", 5],
    ["<% st2kv(no, default => null) %>", null],
    ["<% ['system.a', a].select(st2kv($)) %>", ['A', 'mine']],
    ["{% for key in ['system.a', 'a'] %}{{ st2kv(key) }}{% endfor %}", 'Amine'],
  ])('%s', async (text, expected) => {
    expect(await evaluated(text)).toEqual(expected);
    expect(new Set(asked.map((key) => JSON.stringify(key))).size).toBe(asked.length);
  }); // oxfmt-ignore

  test.each<[string, string]>([
    ["{{ st2kv('system.no') }}", 'ExpressionEvaluationException: The key "no" does not exist in the StackStorm datastore.'],
    ["<% st2kv('system.no') %>", 'ExpressionEvaluationException: The key "no" does not exist in the StackStorm datastore.'],
    ["{{ st2kv('no') }}", 'ExpressionEvaluationException: The key "ada:no" does not exist in the StackStorm datastore.'],
    ["<% st2kv('x.no') %>", 'ExpressionEvaluationException: The key "ada:x.no" does not exist in the StackStorm datastore.'],
    ['{{ st2kv(1) }}', 'TypeError: Given key is not typeof string.'],
    ['<% st2kv(1) %>', 'TypeError: Given key is not typeof string.'],
    ["{{ st2kv('a', decrypt='yes') }}", 'TypeError: Decrypt parameter is not typeof bool.'],
    ["<% st2kv('a', decrypt => 'yes') %>", 'TypeError: Decrypt parameter is not typeof bool.'],
  ])('%s fails', async (text, cause) => {
    await expect(evaluated(text)).rejects.toThrow(`Unable to evaluate expression '${text}'. ${cause}`);
  }); // oxfmt-ignore

  test('are read only when an expression needs them', async () => {
    await evaluated({ a: "{{ 'x' if true else st2kv('system.a') }}", b: 'st2kv' });
    expect(asked).toEqual([]);
    expect(() => evaluate("{{ st2kv('a') }}", scopeOf({}))).toThrow('does not exist');
  });
});
