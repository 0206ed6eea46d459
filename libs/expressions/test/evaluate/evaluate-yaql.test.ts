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

describe('a text that is one YAQL expression evaluates to its value', () => {
  test.each<[string, unknown]>([
    ['<% ctx().num %>', 5],
    ['<% ctx(num) + 1 %>', 6],
    ['<%ctx("half")%>', 1.5],
    ['<% ctx().text %>', 'héllo'],
    ['<% ctx().flag %>', true],
    ['<% ctx().nothing %>', null],
    ['<% ctx().map %>', { a: 1, inner: { b: null } }],
    ['<% ctx(list).where($ != a) %>', [1, null, true]],
    ['<% range(3) %>', [0, 1, 2]],
    ['<% ctx().num\n   * 2 %>', 10],
    ["<% '%>' + '{{ 1 }}' %>", '%>{{ 1 }}'],
    ['<% {"žluť" => ctx().num} %>', { žluť: 5 }],
    ['<% $__vars.num %>', 5],
    ['<% 1152921504606846976 %>', 2 ** 60],
    ['<% [1152921504606846976, {a => 1152921504606846976}] %>', [2 ** 60, { a: 2 ** 60 }]],
  ])('%s', (text, expected) => {
    expect(evaluate(text, scope)).toEqual(expected);
  });
});

describe('each expression in a longer text is replaced by its text as Python prints it', () => {
  test.each<[string, string]>([
    [' <% ctx().num %>', ' 5'],
    ['<% ctx().num %>\n', '5\n'],
    ['<% ctx().num %><% ctx().half %>', '51.5'],
    ['n=<% ctx().nothing %> f=<% ctx().flag %>', 'n=None f=True'],
    ['<% ctx().map %>!', "{'a': 1, 'inner': {'b': None}}!"],
    ['<% ctx().list %>!', "[1, 'a', None, True]!"],
    ['<% range(3) %>!', '[0, 1, 2]!'],
    ['<% 1152921504606846976 %>!', '1152921504606846976!'],
    ['ž <% ctx().text %> ů', 'ž héllo ů'],
  ])('%s', (text, expected) => {
    expect(evaluate(text, scope)).toBe(expected);
  });
});

test('lists and maps are evaluated at any depth, keys included', () => {
  expect(evaluate({ 'k<% ctx().num %>': ['<% ctx().num %>', { plain: 1 }], '<% ctx().num %>': null }, scope)).toEqual({
    k5: [5, { plain: 1 }],
    5: null,
  });
});

describe('failures of YAQL expressions', () => {
  const wrapped = (expression: string, cause: string) => `Unable to evaluate expression '${expression}'. ${cause}`;

  test.each<[string, string]>([
    ['<% ctx().x %>', "Unable to resolve key 'x' in expression '<% ctx().x %>' from context."],
    ['a <% ctx().map.x %> <% ctx().y %>', "Unable to resolve key 'x' in expression '<% ctx().map.x %>' from context."],
    ['<% ctx(x) %>', wrapped('<% ctx(x) %>', 'VariableUndefinedError: The variable "x" is undefined.')],
    ['<% ctx().__x %>', wrapped('<% ctx().__x %>', "YaqlLexicalException: Lexical error: illegal character '_' at position 6")],
    ['<% 1 +/ 2 %>', wrapped('<% 1 +/ 2 %>', "YaqlGrammarException: Parse error: unexpected '/' at position 3 of expression '1 +/ 2'")],
    ['<% ctx().num.code %>', wrapped('<% ctx().num.code %>', 'NoFunctionRegisteredException: Unknown function "#property#code"')],
    ['<% 1 / 0 %>', wrapped('<% 1 / 0 %>', 'ZeroDivisionError: integer division or modulo by zero')],
    ['<% nothing() %>', wrapped('<% nothing() %>', 'NoFunctionRegisteredException: Unknown function "nothing"')],
  ])('%s', (text, message) => {
    expect(() => evaluate(text, scope)).toThrow(expect.objectContaining({ kind: 'YaqlEvaluationException', message }) as Error);
  }); // oxfmt-ignore
});
