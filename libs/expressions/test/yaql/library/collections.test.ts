import { fails, testAnswers } from '../answers';
import { scopeOf } from '../host';

const scope = scopeOf({ map: { a: 1, b: { c: 2 } }, list: [5, 6, 7] });

describe('lists', () => {
  testAnswers(
    [
      ['list(1, [2], range(2), {a => 1}.keys())', [1, [2], 0, 1, ['a']]],
      ['[[1, [2, set(3)]], {a => 1}, abc].flatten()', [1, 2, 3, { a: 1 }, 'abc']],
      ['ctx(list).insert(1, x)', [5, 'x', 6, 7]],
      ['ctx(list).insert(-9, x)', ['x', 5, 6, 7]],
      ['ctx(list).insert(99, x)', [5, 6, 7, 'x']],
      ['ctx(list).select($).insert(-1, x)', [5, 6, 7]],
      ['ctx(list).select($).insert(1, x)', [5, 'x', 6, 7]],
      ['ctx(list).insertMany(-1, [x, y])', ['x', 'y', 5, 6, 7]],
      ['ctx(list).insertMany(3, [x])', [5, 6, 7, 'x']],
      ['ctx(list).delete(1)', [5, 7]],
      ['ctx(list).delete(1, -1)', [5]],
      ['ctx(list).delete(0, count => 2)', [7]],
      ['ctx(list).replace(1, x, 2)', [5, 'x']],
      ['ctx(list).replace(9, x)', [5, 6, 7]],
      ['ctx(list).replaceMany(0, [x, y], -1)', ['x', 'y']],
      ['ctx(list) + [8] + []', [5, 6, 7, 8]],
      ['(ctx(list) + [8])[3]', 8],
      ['[1, 2] * 2 + 2 * [3] + [4] * 0', [1, 2, 1, 2, 3, 3]],
      ['6 in ctx(list) and not (9 in ctx(list)) and [1] in [[1]]', true],
      ['ctx(list).contains(7.0)', true],
      ['isList(ctx(list)) and isDict(ctx(map)) and not isDict(ctx(list))', true],
      ['[ctx(list).len(), ctx(map).len(), set(1, 1).len(), len(abc), range(4).len()]', [3, 2, 1, 3, 4]],
      ['{a => 1}.values().len() + [2, 1].orderBy($).len()', 3],
    ],
    scope,
  );
});

describe('dictionaries', () => {
  testAnswers(
    [
      ['dict(a => 1, 1 + 1 => two, null => 0)', { a: 1, '2': 'two', null: 0 }],
      ['dict([[a, 1], [b, 2, 3]])', { a: 1, b: 2 }],
      ['dict([[a]])', fails('StopIteration: ')],
      ['dict([1])', fails('TypeError: the items of a dictionary must be pairs')],
      ['dict(ctx(map).items()) = ctx(map)', true],
      ['[x, yy, z].toDict($.len())', { '1': 'z', '2': 'yy' }],
      ['[x, yy].toDict($, valueSelector => $.len())', { x: 1, yy: 2 }],
      ['ctx(map).get(a) + ctx(map).get(z, 2) + ctx(map).b.c', 5],
      ['{a => null}.get(a, 1)', null],
      ['ctx(map).set(a, 2).set(c => 3, a + b => 4).set({b => null})', { a: 2, b: null, c: 3, ab: 4 }],
      ['{b => 1, a => 2}.set(b, 3).keys()', ['b', 'a']],
      ['{a => 1, b => 2} + {c => 3, a => 4}', { a: 4, b: 2, c: 3 }],
      ['ctx(map).delete(a, z)', { b: { c: 2 } }],
      ['ctx(map).deleteAll(set(a, b))', {}],
      ['ctx(map).containsKey(a) and ctx(map).containsValue({c => 2}) and not ctx(map).containsKey(z)', true],
      ['{1 => a}.containsKey(true) and {1 => a}.containsKey(1.0)', true],
      ['{1 => a, 1.0 => b, true => c}.items()', [[1, 'c']]],
      ["ctx(map).keys().contains(a) and a in ctx(map).keys()", true],
      ['a in ctx(map)', fails('NoMatchingFunctionException: No function "#operator_in" matches supplied arguments')],
      ['{}.select($)', fails('NoMatchingMethodException: No method "select" for receiver {} matches supplied arguments')],
    ], // oxfmt-ignore
    scope,
  );
});

describe('sets', () => {
  testAnswers([
    ['set(2, 1, 2, range(4))', [2, 1, 0, 3]],
    ['[1, 2, 1].toSet().len()', 2],
    ['set(1, 2).union(set(3))', [1, 2, 3]],
    ['set(1, 2).intersect(set(2, 3))', [2]],
    ['set(1, 2).difference(set(2)) = set(1, 2) - set(2)', true],
    ['set(1, 2).symmetricDifference(set(2, 3))', [1, 3]],
    ['set(1).add(2, [3]).remove(1, 9)', [2, [3]]],
    ['(set(1) + set(2)).len()', 2],
    ['{a => 1, b => 2}.keys() - set(a)', ['b']],
    ['{a => 1}.keys().union({b => 1}.keys())', ['a', 'b']],
    ['isSet(set()) and isSet({}.items()) and not isSet({}.values()) and not isSet([])', true],
  ]);
});
