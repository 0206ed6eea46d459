import { JinjaError, renderNative, renderText } from '../../src';

describe('renderNative', () => {
  test.each([
    ['{{ n }}', 5],
    ['{{ n / 5 }}', 1],
    ['{{ [n, 2.5, none, true] }}', [5, 2.5, null, true]],
    ["{{ {'a': (1, 2)} }}", { a: [1, 2] }],
    ["{{ rows | map(attribute='k') }}", ['v']],
    ['{{ rows[0].items() }}', [['k', 'v']]],
    ['{{ 2 ** 80 }}', 2n ** 80n],
    ['{{ none }}', null],
    [' {{ n }}', ' 5'],
    ['{{ n }}{{ n }}', '55'],
    ['{% if n %}x{% endif %}', 'x'],
    ['plain', 'plain'],
  ])('%s', (template, expected) => {
    expect(renderNative(template, { n: 5, rows: [{ k: 'v' }] })).toEqual(expected);
  });

  test('fails for a missing name', () => {
    expect(() => renderNative('{{ nope }}', {})).toThrow("'nope' is undefined");
  });
});

describe('options', () => {
  test('functions are called with plain values', () => {
    const seen: unknown[] = [];
    const functions = {
      ctx: (args: readonly unknown[], named: Readonly<Record<string, unknown>>) => {
        seen.push(args, named);
        return { x: [1, 2] };
      },
    };
    expect(renderNative("{{ ctx('a', key={'b': (1, 2.0)}).x[1] }}", {}, { functions })).toBe(2);
    expect(seen).toEqual([['a'], { key: { b: [1, 2] } }]);
  });

  test('given filters replace built-in ones of the same name', () => {
    const filters = { upper: ([text]: readonly unknown[]) => `<${String(text)}>` };
    expect(renderText("{{ 'a' | upper }} {{ ['b'] | map('upper') | join }}", {}, { filters })).toBe('<a> <b>');
  });

  test('lenient rendering prints nothing for missing values', () => {
    expect(renderText('[{{ a }}{{ d.b }}{% for x in c %}x{% endfor %}]', { d: {} }, { missing: 'lenient' })).toBe('[]');
  });

  test.each([
    [
      "{{ 'x' in a }} {{ 'x' not in a }} {{ a == b }} {{ a is iterable }} {{ a is sequence }}",
      'False True True True True',
    ],
    ['[{{ a | first }}{{ a | last }}{{ a | min }}{{ a | max }}{{ a | random }}{{ [] | first }}]', '[]'],
    ["{{ a | sort(attribute='x') }} {{ [a, b] | unique | length }} {{ a in [b] }}", '[] 1 True'],
  ])('lenient rendering takes a missing value as an empty one: %s', (template, expected) => {
    expect(renderText(template, {}, { missing: 'lenient' })).toBe(expected);
  });

  test('the datastore is read by dotted, bracketed and computed names', () => {
    const items: Record<string, string> = {
      'system.a': 'A',
      'system.a.b': 'AB',
      'user.my-key': 'K',
      'system.list': 'x,y',
    };
    const datastore = ({ scope, name }: { scope: string; name: string }) => items[`${scope}.${name}`];
    const render = (template: string) => renderText(template, { which: 'a' }, { datastore });
    expect(render("{{ st2kv.system.a }} {{ svckv.system.a.b }} {{ st2kv.user['my-key'] }}")).toBe('A AB K');
    expect(render('{{ st2kv.system[which] }} {{ st2kv.system.list.split(",")[1] }}')).toBe('A y');
    expect(render("[{{ st2kv.system.nope }}] {{ st2kv.system.nope | default('unset') }}")).toBe('[] unset');
    expect(() => render('{{ st2kv.other.a }}')).toThrow(/expected st2kv.system.NAME/);
  });

  test('decrypt_kv requests the plain text of an item', () => {
    const datastore = ({ decrypt }: { decrypt: boolean }) => (decrypt ? 'plain' : '3030cipher');
    expect(renderText('{{ st2kv.system.p }} {{ st2kv.system.p | decrypt_kv }}', {}, { datastore })).toBe(
      '3030cipher plain',
    );
    expect(renderText("{{ 'AB' | decrypt_kv }}", {}, { decrypt: (text) => text.toLowerCase() })).toBe('ab');
    expect(() => renderText('{{ st2kv.system.p | decrypt_kv }}', {}, { datastore: () => undefined })).toThrow(
      `Referenced datastore item "st2kv.system.p" doesn't exist or it contains an empty string`,
    );
  });

  test('a context may define a name of the datastore itself', () => {
    expect(renderText('{{ st2kv.system.a }}', { st2kv: { system: { a: 1 } } }, { datastore: () => 'other' })).toBe('1');
  });

  test.each(['{{ 1 + "a" }}', '{{ d.items | to_yaml_string }}', '{{ d.items }}', '{{ [namespace()] }}'])(
    'errors have the name of the Python exception: %s',
    (template) => {
      expect.assertions(2);
      try {
        renderNative(template, { d: { a: 1 } });
      } catch (error) {
        expect(error).toBeInstanceOf(JinjaError);
        expect((error as JinjaError).kind).toBe('TypeError');
      }
    },
  );
});
