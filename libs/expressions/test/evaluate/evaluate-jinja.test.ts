import { evaluate } from '../../src';
import { scopeOf } from './scope-of';

const scope = scopeOf({
  num: 5,
  half: 1.5,
  text: 'héllo',
  flag: true,
  nothing: null,
  map: { a: 1, inner: { b: null } },
  list: [1, 'a', null, true],
});

describe('a text that is one Jinja expression evaluates to its value', () => {
  test.each<[string, unknown]>([
    ['{{ ctx().num }}', 5],
    ["{{ ctx('num') + 1 }}", 6],
    ['{{ctx("half")}}', 1.5],
    ['{{ ctx().text }}', 'héllo'],
    ['{{ ctx().flag }}', true],
    ['{{ ctx().nothing }}', null],
    ['{{ ctx().map }}', { a: 1, inner: { b: null } }],
    ["{{ ctx('list') | reverse | list }}", [true, null, 'a', 1]],
    ['{{ (1, 2) }}', [1, 2]],
    ['{{\n  ctx().num\n    * 2\n}}', 10],
    ["{{ '}}' ~ '%}' }}", '}}%}'],
    ["{{ '<% ctx().num %>' }}", '<% ctx().num %>'],
    ["{{ {'a': {'b': 1}} }}", { a: { b: 1 } }],
    ["{{ {'a': 'žluť'} }}", { a: 'žluť' }],
    ['{{ 2 ** 60 }}', 2 ** 60],
    ["{{ 'kept' if false }}", null],
  ])('%s', (text, expected) => {
    expect(evaluate(text, scope)).toEqual(expected);
  });
});

describe('each expression in a longer text is replaced by its text as Python prints it', () => {
  test.each<[string, string]>([
    [' {{ ctx().num }}', ' 5'],
    ['{{ ctx().num }}\n', '5\n'],
    ['{{ ctx().num }}{{ ctx().half }}', '51.5'],
    ['n={{ ctx().nothing }} f={{ ctx().flag }}', 'n=None f=True'],
    ['{{ ctx().map }}!', "{'a': 1, 'inner': {'b': None}}!"],
    ['{{ ctx().list }}!', "[1, 'a', None, True]!"],
    ['ž {{ ctx().text }} ů', 'ž héllo ů'],
    ['{{ ctx().num }} {# {{ ctx().num }} stays #}', '5 {# 5 stays #}'],
    ["{{ 1 }}{{ 'x' if false }}", '1'],
  ])('%s', (text, expected) => {
    expect(evaluate(text, scope)).toBe(expected);
  });
});

describe('a text with blocks is rendered as a template', () => {
  test.each<[string, string]>([
    ['{% for each in ctx().list %}{{ each }};{% endfor %}', '1;a;None;True;'],
    ['{% if ctx().flag %}\nyes\n{% endif %}\n', 'yes\n'],
    ['  {% set x = 1 %}\n{{ x + ctx().num }}', '6'],
    ['{% raw %}{{ ctx().num }} <% 1 %>{% endraw %}', '{{ ctx().num }} <% 1 %>'],
    ['{% raw %}{{ a }}{% endraw %} {{ ctx().num }}', '{{ a }} 5'],
    ["{% raw %}\n  docker ps --format '{{.Names}}'\n{% endraw %}\n", "\n  docker ps --format '{{.Names}}'\n"],
    ["{% if '%}' == '%}' %}{{ '{%' }}{% endif %}", '{%'],
    ['{% if true %}a{# gone #}{% endif %}', 'a'],
  ])('%j', (text, expected) => {
    expect(evaluate(text, scope)).toBe(expected);
  });
});

describe('lists and maps', () => {
  test('are evaluated at any depth, keys included', () => {
    expect(evaluate({ 'k{{ ctx().num }}': ['{{ ctx().num }}', { plain: 1 }], '{{ ctx().num }}': null }, scope)).toEqual(
      { k5: [5, { plain: 1 }], 5: null },
    );
  });

  test('convert keys as JSON does, and reject lists and maps as keys', () => {
    const keys = evaluate({ '{{ ctx().flag }}': 1, '{{ ctx().nothing }}': 2 }, scope);
    expect(keys).toEqual({ true: 1, null: 2 });
    expect(() => evaluate({ '{{ ctx().map }}': 1 }, scope)).toThrow("TypeError: unhashable type: 'dict'");
  });

  test('may use names of Object.prototype as keys', () => {
    const result = evaluate(JSON.parse('{"__proto__": "{{ 1 }}"}') as unknown, scope);
    expect(JSON.stringify(result)).toBe('{"__proto__":1}');
  });
});

test.each([null, 0, 1.5, true, 'text', '', '{{', '{% if', '}} {{', '%> <', '{"a": {}}', 'awk {print $1}'])(
  'a value without expressions is returned unchanged: %j',
  (value) => {
    expect(evaluate(value, scope)).toBe(value);
  },
);

test('lists of the context cannot be changed', () => {
  expect(evaluate('{{ ctx().list.append(2) }}', scope)).toBeNull();
  expect(evaluate("{% set _ = ctx('map').update({'a': 2}) %}", scope)).toBe('');
  expect(evaluate(['{{ ctx().list | length }}', '{{ ctx().map.a }}'], scope)).toEqual([4, 1]);
});
