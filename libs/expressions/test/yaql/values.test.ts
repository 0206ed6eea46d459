import { evaluateYaql, yaqlText } from '../../src';
import { fails, testAnswers } from './answers';
import { scopeOf } from './host';

const data = { nested: { list: [1, { deep: true }] }, text: 'é', none: null, big: 2 ** 60, zero: 0 };
const scope = scopeOf(data);

describe('a value as plain data', () => {
  testAnswers(
    [
      ['[1, 2.0, 2.5, x, null, true]', [1, 2, 2.5, 'x', null, true]],
      ['{a => [1].select($), 1 => {b => 2.0}, null => 1, true => 2}', { a: [1], '1': 2, null: 1 }],
      ['{[1, x] => 1, datetime(2020, 1, 2) => 2}', { "[1, 'x']": 1, '2020-01-02 00:00:00+00:00': 2 }],
      ['{a => 1, b => 2}.items()', [['a', 1], ['b', 2]]],
      ['{a => 1}.keys()', ['a']],
      ['set(b, a, [1])', ['b', 'a', [1]]],
      ['[3, 1].orderBy($)', [1, 3]],
      ['datetime(2020, 1, 2, 3, 4, 5, 600, timespan(hours => 2))', '2020-01-02T03:04:05.000600+02:00'],
      ['timespan(days => 2, hours => 1)', '2 days, 1:00:00'],
      ['regex(`a.b`)', "re.compile('a.b')"],
      ['2 * 4611686018427387904', 9223372036854775808n],
      ['ctx(big) + 0', 1152921504606846976n],
      ['-ctx(zero)', 0],
      ['let(a => 1)', fails('TypeError: The result is a context: `->` and an expression must follow')],
      ['[let(a => 1)]', fails('TypeError: The result is a context: `->` and an expression must follow')],
    ], // oxfmt-ignore
    scope,
  );

  test('data of the scope is returned without a copy', () => {
    expect(evaluateYaql('ctx(nested)', scope)).toBe(data.nested);
    expect(evaluateYaql('ctx().nested.list', scope)).toBe(data.nested.list);
  });
});

describe('a value within a larger text', () => {
  test.each([
    ['null', 'None'],
    ['1 = 1', 'True'],
    ['4 / 2.0', '2.0'],
    ['float("1e20")', '1e+20'],
    ['0.00001', '1e-05'],
    ['[1, it, [null, 1.0]]', "[1, 'it', [None, 1.0]]"],
    ['["it\'s", `a"b\'`]', "[\"it's\", 'a\"b\\'']"],
    ['{k => false}', "{'k': False}"],
    ['set()', 'set()'],
    ['set(1, x)', "{1, 'x'}"],
    ['{a => 1}.keys()', "{'a'}"],
    ['{a => 1}.values()', '[1]'],
    ['[1, 2].select($ + 1)', '[2, 3]'],
    ['[2, 1].orderBy($)', '[1, 2]'],
    ['datetime(2020, 1, 2, microsecond => 5)', '2020-01-02 00:00:00.000005+00:00'],
    ['timespan(hours => -1)', '-1 day, 23:00:00'],
    ['ctx(text)', 'é'],
    ['ctx(nested)', "{'list': [1, {'deep': True}]}"],
  ])('%s', (source, text) => {
    expect(yaqlText(source, scope)).toBe(text);
  });
});

describe('equality and order', () => {
  testAnswers([
    ['1 = 1.0 and 1 = true and 0 = false', true],
    ['[1, {a => [2.0]}] = [1.0, {a => [2]}]', true],
    ['[1, 2] = [1, 2].toList()', true],
    ["'a b'.split() = [a, b]", false],
    ['[1].select($) = [1]', false],
    ['let([1].select($)) -> $ = $', true],
    ['{a => 1, b => 2} != {b => 2, a => 1}', false],
    ['set(1, 2) = {1 => x, 2 => y}.keys()', true],
    ["'\ue000' < '😀'", true],
    ['set(1) < set(1, 2) and set(1) <= set(1) and not (set(1) > set(2))', true],
    ['null < -1 and not (null < null) and null <= null and -1 > null', true],
    ['9007199254740993 > 9007199254740992.0', true],
    ['true < 2', fails('NoMatchingFunctionException: No function "#operator_<" matches supplied arguments')],
    ['{} > {}', fails('NoMatchingFunctionException: No function "#operator_>" matches supplied arguments')],
    ['[[1, 2], [1.0, 2], {a => 1}, {a => true}].distinct().len()', 2],
    ['set([1], [1.0], set(2), set(2.0)).len()', 2],
    ["{[1] => a}.get([1]) + {1.0 => b}[true] + {'\\0x' => c}['\\0x']", 'abc'],
    ['[timespan(days => 1), timespan(hours => 24)].distinct().len()', 1],
  ]);
});

describe('truth values', () => {
  testAnswers([
    ["[null, false, 0, 0.0, '', [], {}, set(), {}.keys(), timespan()].select(bool($)).any($)", false],
    ["['false', -1, [0], [].select($), timespan(1), regex(a), datetime(0)].select(bool($)).all($)", true],
    ['0 or [] or x', 'x'],
    ["'' and nope()", ''],
    ['1 or nope()', 1],
  ]);
});
