import { evaluate } from '../../src';
import { scopeOf } from '../evaluate/scope-of';

const scope = scopeOf({
  map: { b: [1, 2], a: null },
  maps: [{ a: 1 }, { a: 2 }],
  json: '{"a": [1, {"b": null}]}',
  yaml: 'a: 1\nb: [x, yes]\n',
  text: 'say "hi"\n',
});

/** The same call in both languages; `=` marks a named argument. */
const both = (call: string): [string, string] => [
  `<% ${call.replaceAll(/(\w+)=(?!=)/g, (_, name: string) => `${camelCase(name)} => `)} %>`,
  `{{ ${call} }}`,
];

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe.each([
  ['YAQL', 0],
  ['Jinja', 1],
])('functions in %s', (_language, index) => {
  const run = (call: string) => evaluate(both(call)[index], scope);

  test.each<[string, unknown]>([
    ["json('{\"a\": [1, null]}')", { a: [1, null] }],
    ["json(ctx('map'))", { b: [1, 2], a: null }],
    ["from_json_string(ctx('json'))", { a: [1, { b: null }] }],
    ["json_parse(ctx('json'))", { a: [1, { b: null }] }],
    ["from_yaml_string(ctx('yaml'))", { a: 1, b: ['x', true] }],
    ["yaml_parse('- 1')", [1]],
    ["to_json_string(ctx('map'))", '{"b": [1,2],"a": null}'],
    ["json_dump(ctx('maps'))", '[{"a": 1},{"a": 2}]'],
    ["to_json_string(ctx('map'), sort_keys=true)", '{"a": null,"b": [1,2]}'],
    ["to_json_string([1], indent=2)", '[\n  1\n]'],
    ["to_json_string([1, 2], separators=[', ', ':'])", '[1, 2]'],
    ["to_yaml_string(ctx('map'))", 'a: null\nb:\n- 1\n- 2\n'],
    ["yaml_dump(ctx('maps'))", '- a: 1\n- a: 2\n'],
    ["json_escape(ctx('text'))", 'say \\"hi\\"\\n'],
    ["jsonpath_query(ctx('maps'), '[*].a')", [1, 2]],
    ["jsonpath_query(ctx('map'), 'nothing')", null],
    ["regex_match('abc', 'b')", false],
    ["regex_match('abc', 'A', ignorecase=true)", true],
    ["regex_search('abc', 'b')", true],
    ["regex_search(123, '2')", true],
    ["regex_replace('a-b-c', '-', '+')", 'a+b+c'],
    ["regex_replace('aXb', 'x', '', ignorecase=true)", 'ab'],
    ["regex_substring('id 42 43', '[0-9]+')", '42'],
    ["regex_substring('id 42 43', '[0-9]+', result_index=1)", '43'],
    ["regex_substring('a1b2', '([a-z])([0-9])', 1)", ['b', '2']],
    ['to_human_time_from_seconds(12345)', '3h25m45s'],
    ['to_human_time_from_seconds(0)', '0s'],
    ["use_none(json('null'))", '%*****__%NONE%__*****%'],
    ["use_none('x')", 'x'],
    ["basename('/a/b.txt')", 'b.txt'],
    ["dirname('/a/b.txt')", '/a'],
    ["version_compare('1.2.0', '1.10.0')", -1],
    ["version_more_than('2.0.0', '1.0.0')", true],
    ["version_less_than('2.0.0', '1.0.0')", false],
    ["version_equal('1.0.0', '1.0.0')", true],
    ["version_match('1.4.0', '>=1.2.0')", true],
    ["version_bump_major('1.2.3')", '2.0.0'],
    ["version_bump_minor('1.2.3')", '1.3.0'],
    ["version_bump_patch('1.2.3')", '1.2.4'],
    ["version_strip_patch('1.6.3')", '1.6'],
    ['zip([1, 2], [3])', [[1, 3], [2, null]]],
    ["zip([1], [2, 3], pad='-')", [[1, 2], ['-', 3]]],
    ["zip(json('null'), [1])", [[null, 1]]],
    ['zip([1, 2])', [1, 2]],
    ["zip(json('null'))", []],
    ["regex_replace(5.0, '0', 'x')", '5.x'],
    ["to_json_string(json('[2.0, 1e3]'))", '[2.0,1000.0]'],
    ["to_json_string(zip([1.0], [2]))", '[[1.0,2]]'],
    ["json('{\"a\": {\"b\": 3.0, \"c\": [2.0]}}')", { a: { b: 3, c: [2] } }],
    ["regex_search(json('{\"a\": {\"b\": 3.0}}')['a']['b'] / 2, '^1.5$')", true],
    ["to_yaml_string(from_yaml_string('a: 4.0'))", 'a: 4.0\n'],
  ])('%s', (call, expected) => {
    expect(run(call)).toEqual(expected);
  }); // oxfmt-ignore

  test.each<[string, string]>([
    ['json(5)', 'TypeError: Given object is not typeof string.'],
    ['json([1])', 'TypeError: Given object is not typeof string.'],
    ["json('{')", 'ValueError: invalid JSON'],
    ["from_yaml_string('a: [')", 'ValueError: invalid YAML'],
    ["regex_search('a', '(')", 'ValueError: '],
    ["regex_substring('a', 'b')", 'IndexError: list index out of range'],
    ["version_compare('x', '1.0.0')", 'ValueError: x is not valid SemVer string'],
    ["to_human_time_from_seconds('x')", 'TypeError: seconds must be a number, not str'],
  ])('%s fails', (call, cause) => {
    const expression = both(call)[index] ?? '';
    expect(() => evaluate(expression, scope)).toThrow(`Unable to evaluate expression '${expression}'. ${cause}`);
  });
});

describe('in Jinja', () => {
  test.each<[string, string]>([
    ['{{ zip([1, 2], [3, 4]) }}!', '[(1, 3), (2, 4)]!'],
    ["{{ [1, 2] | zip([3, 4], [5], pad='-') }}!", "[(1, 3, 5), (2, 4, '-')]!"],
    ["{{ regex_substring('a1', '(a)(1)') }}!", "('a', '1')!"],
    ["{{ '/a/b' | basename }}{{ dirname(path='/a/b') }}!", 'b/a!'],
    ["{{ '[1.0]' | json_parse }}!", '[1.0]!'],
    ["{{ '[2]' | json | first }}!", '2!'],
    ["{{ {'a': 1} | to_json_string }}!", '{"a": 1}!'],
  ])('every function is also a filter, and prints tuples as tuples: %s', (text, expected) => {
    expect(evaluate(text, scope)).toBe(expected);
  });
});
