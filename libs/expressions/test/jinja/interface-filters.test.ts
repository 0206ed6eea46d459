import { renderText } from '../../src';

const context = {
  d: { b: [1, 2], a: { c: null } },
  people: [{ n: 1 }, { n: 2 }],
  nothing: null,
  word: 'v1.2',
};

describe('filters of the interface', () => {
  test.each([
    [`{{ ('{"a": 1}' | from_json_string).a }}`, '1'],
    [`{{ ('a: 2' | from_yaml_string).a }}`, '2'],
    [`{{ 'a: yes\\nb: y\\nc: 2020-01-01' | from_yaml_string }}`, "{'a': True, 'b': 'y', 'c': '2020-01-01'}"],
    [`{{ {'b': [1, 2]} | to_json_string }}`, '{"b": [1,2]}'],
    [
      `{{ d | to_json_string(indent=2, sort_keys=true) }}`,
      '{\n  "a": {\n    "c": null\n  },\n  "b": [\n    1,\n    2\n  ]\n}',
    ],
    [`{{ [1, 'é'] | to_json_string(separators=[', ', ':']) }}`, '[1, "\\u00e9"]'],
    [`{{ {'b': 1} | to_yaml_string }}`, 'b: 1\n'],
    [
      `{{ {'n': 'no', 'd': '2020-01-01', 'l': [{'x': 1}]} | to_yaml_string }}`,
      "d: '2020-01-01'\nl:\n- x: 1\nn: 'no'\n",
    ],
    [`{{ {1: 1e-05, 0: [1.0, 1e300, none]} | to_yaml_string }}`, '0:\n- 1.0\n- 1.0e+300\n- null\n1: 1.0e-05\n'],
    [`{{ {'a': 'x\ny'} | to_yaml_string }}`, "a: 'x\n\n  y'\n"],
    [`{{ {2: 'a', 'b': true} | to_yaml_string }}`, '2: a\nb: true\n'],
    [`{{ 'é😀' | to_yaml_string(allow_unicode=false) }}`, '"\\xE9\\U0001F600"\n'],
    [`{{ 'a' | to_yaml_string }}`, 'a\n'],
    [`{{ '[3.0, 12345678901234567890, "1.0"]' | from_json_string }}`, "[3.0, 12345678901234567890, '1.0']"],
    [
      `{{ '{a: 3.0, 1.0: [1_0, 12345678901234567890]}' | from_yaml_string }}`,
      "{'a': 3.0, '1.0': [10, 12345678901234567890]}",
    ],
    [`{{ {'a': 1.0} | json_escape }} {{ none | json_escape }} {{ true | json_escape }}`, '{"a": 1.0} null true'],
    [`{{ 2.5 ** -4 }} {{ 0.1 ** 3 }} {{ -1.5 ** 3 }} {{ 10 ** -4 }}`, '0.0256 0.0010000000000000002 -3.375 0.0001'],
    [`{{ [1, 2.0, none] | to_complex }}`, '[1, 2.0, null]'],
    [`{{ 'a\\tb"' | json_escape }}`, 'a\\tb\\"'],
    [`{{ {'p': people} | jsonpath_query('p[*].n') }}`, '[1, 2]'],
    [`{{ {'p': people} | jsonpath_query('$..n') }}`, '[1, 2]'],
    [`{{ people | jsonpath_query('[-1]') }}`, "[{'n': 2}]"],
    [`{{ d | jsonpath_query('a,b') }}`, "[{'c': None}, [1, 2]]"],
    [`{{ d | jsonpath_query('(a|b)') }}`, "[{'c': None}, [1, 2]]"],
    [`{{ d | jsonpath_query('b[0:1]') }}`, '[1]'],
    [`{{ d | jsonpath_query('zz') }}`, 'None'],
    [`{{ word | regex_match('v\\d') }}`, 'True'],
    [`{{ word | regex_match('\\d') }}`, 'False'],
    [`{{ 'abc' | regex_search('B', true) }}`, 'True'],
    [`{{ 'a-b' | regex_replace('-', '_') }}`, 'a_b'],
    [`{{ 'k=v' | regex_replace('(\\w)=(?P<y>\\w)', '\\\\g<y>=\\\\1') }}`, 'v=k'],
    [`{{ 'id 42 43' | regex_substring('\\d+', 1) }}`, '43'],
    [`{{ 'k=v j=w' | regex_substring('(\\w)=(\\w)', 1) }}`, "('j', 'w')"],
    [`{{ 12 | regex_search('2') }}`, 'True'],
    [`{{ 75 | to_human_time_from_seconds }}`, '1m15s'],
    [`{{ 90061 | to_human_time_from_seconds }}`, '1d1h1m1s'],
    [`{{ 59.6 | to_human_time_from_seconds }}`, '1m0s'],
    [`{{ 0.5 | to_human_time_from_seconds }}`, '0.5μs'],
    [`{{ -5 | to_human_time_from_seconds }} {{ true | to_human_time_from_seconds }}`, '-5μs 1s'],
    [`{{ '1.2.0' | version_compare('1.10.0') }}`, '-1'],
    [`{{ '2.0.0' | version_more_than('1.0.0') }} {{ '2.0.0' | version_less_than('1.0.0') }}`, 'True False'],
    [`{{ '1.0.0' | version_equal('1.0.0') }} {{ '1.4.0' | version_match('>=1.2.0') }}`, 'True True'],
    [
      `{{ '1.2.3' | version_bump_major }} {{ '1.2.3' | version_bump_minor }} {{ '1.2.3' | version_bump_patch }}`,
      '2.0.0 1.3.0 1.2.4',
    ],
    [`{{ '1.2.3' | version_strip_patch }}`, '1.2'],
    [`{{ nothing | use_none }} {{ 5 | use_none }}`, '%*****__%NONE%__*****% 5'],
    [`{{ '/a/b.txt' | basename }} {{ '/a/b.txt' | dirname }} {{ '/' | dirname }}`, 'b.txt /a /'],
    [`{{ 2 is in [1, 2] }}`, 'True'],
  ])('%s', (template, expected) => {
    expect(renderText(template, context)).toBe(expected);
  });

  test.each([
    ["{{ 'x' | from_json_string }}", /^invalid JSON/],
    ["{{ 'x' | version_compare('1.0.0') }}", 'x is not valid SemVer string'],
    ["{{ 'x' | regex_search('(') }}", /Invalid regular expression/],
    ["{{ 'x' | regex_substring('y') }}", 'list index out of range'],
    ["{{ 'x' | to_human_time_from_seconds }}", 'seconds must be a number, not str'],
    ["{{ 'x' | regex_match }}", "missing required argument: 'pattern'"],
    ['{{ d.items | to_yaml_string }}', 'Object of type function is not JSON serializable'],
    ['{{ [d.items] | to_json_string }}', 'Object of type function is not JSON serializable'],
    ['{{ {"a": d.items} | to_complex }}', 'Object of type function is not JSON serializable'],
    ['{{ d.items | tojson }}', 'Object of type function is not JSON serializable'],
    ['{{ namespace(a=1) | to_yaml_string }}', 'Object of type object is not JSON serializable'],
    ["{{ 'x' | decrypt_kv }}", 'decrypt_kv can only be applied to datastore items here'],
  ])('%s fails', (template, message) => {
    expect(() => renderText(template, context)).toThrow(message);
  });
});
