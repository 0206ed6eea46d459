import { isTemplate, templateProblem, templateRoots } from '../../src';

describe('templateRoots', () => {
  test.each([
    ['{{ a }} {{ b.c }} {{ a }}', ['a', 'b']],
    ['{{ x | default(y) }} {{ [p, (q,), {r: s}] }} {{ t[u:v] }}', ['x', 'y', 'p', 'q', 'r', 's', 't', 'u', 'v']],
    ['{% for i in items if i > low %}{{ i }}{{ loop.index }}{% endfor %}{{ i }}', ['items', 'low', 'i']],
    ['{% set x = y %}{{ x }}', ['y']],
    ['{{ x }}{% set x = 1 %}', ['x']],
    ['{% macro m(a, b=c) %}{{ a }}{{ d }}{{ varargs }}{% endmacro %}{{ m(e) }}', ['c', 'd', 'e']],
    ['{% with a = b %}{{ a }}{% endwith %}{{ a }}', ['b', 'a']],
    ['{% set n = namespace(v=0) %}{% set n.v = k %}{{ range(3) }}{{ dict(a=z) }}', ['k', 'z']],
    ['{{ f(a, *b, **c) if d is sameas e else not g }}', ['d', 'f', 'a', 'b', 'c', 'e', 'g']],
    ['{{ st2kv.system.a | decrypt_kv }} {{ svckv.user[who] }}', ['st2kv', 'svckv', 'who']],
    [
      '{% filter replace(a, b) %}{{ c }}{% endfilter %}{% set z | join(d) %}{{ e }}{% endset %}',
      ['a', 'b', 'c', 'e', 'd'],
    ],
    ['plain {% raw %}{{ no }}{% endraw %}', []],
  ])('%s', (template, roots) => {
    expect(new Set(templateRoots(template))).toEqual(new Set(roots));
  });
});

test.each([
  ['{{ a', true],
  ['a %} }}', false],
  [{ list: ['x', { deep: '{% if a %}' }] }, true],
  [{ '{{ key }}': 1 }, true],
  [['a', 5, null], false],
  [5, false],
])('isTemplate of %j is %s', (value, expected) => {
  expect(isTemplate(value)).toBe(expected);
});

test.each([
  ['{{ a }}', undefined],
  ['{{ 1 + }}', "unexpected 'end of print statement'"],
  ['{{ a b }}', "expected token 'end of print statement', got 'b'"],
  ['{% nope %}', "Encountered unknown tag 'nope'."],
  ['{% raw %}', 'Missing end of raw directive'],
])('the problem of %s', (template, problem) => {
  expect(templateProblem(template)).toBe(problem);
});
