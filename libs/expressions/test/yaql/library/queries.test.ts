import { fails, testAnswers } from '../answers';
import { scopeOf } from '../host';

const scope = scopeOf({
  people: [
    { name: 'Ann', age: 31, team: 'a' },
    { name: 'Bob', age: 25, team: 'b' },
    { name: 'Cyd', age: 31, team: 'b' },
  ],
});

describe('mapping and filtering', () => {
  testAnswers(
    [
      ['ctx(people).where($.age > 30).name', ['Ann', 'Cyd']],
      ['ctx(people).filter($.team = b).map($.age)', [25, 31]],
      ['[1, 2].select(x)', ['x', 'x']],
      ['[1, 2].where(null)', []],
      ['[[1, 2], 3, abc, {a => 1}].selectMany($)', [1, 2, 3, 'abc', { a: 1 }]],
      ['range(5).skip(3).concat(range(5).limit(1), [x])', [3, 4, 0, 'x']],
      ['[1].skip(-1)', fails('ValueError: Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.')],
      ['[1].take(-1)', fails('ValueError: Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.')],
      ['append([1], 2, [3])', [1, 2, [3]]],
      ['ctx(people).distinct($.age).name', ['Ann', 'Bob']],
      ['[1, true, 1.0, 2, [2], [2.0]].distinct()', [1, 2, [2]]],
      ['[a, b].enumerate(10)', [[10, 'a'], [11, 'b']]],
      ['[1, 2].zip([a, b, c], [x, y])', [[1, 'a', 'x'], [2, 'b', 'y']]],
      ['[1].zipLongest([a, b])', [[1, 'a'], [null, 'b']]],
      ['[1].zipLongest([a, b], default => 0)', [[1, 'a'], [0, 'b']]],
      ['[1, 2].cycle().take(5)', [1, 2, 1, 2, 1]],
      ['[].cycle()', []],
      ['[1, 2, 3, 1].takeWhile($ < 3) + [1, 2, 3, 1].skipWhile($ < 3)', [1, 2, 3, 1]],
      ['range(5).slice(2)', [[0, 1], [2, 3], [4]]],
      ['[1].slice(0)', []],
      ['[0, 1, 2, 0, 0, 3, 0].splitWhere($ = 0)', [[], [1, 2], [], [3]]],
      ['[1, 1, 2, 1].sliceWhere($ = 1)', [[1, 1], [2], [1]]],
      ['[a, a, b, a].sliceWhere($)', [['a', 'a'], ['b'], ['a']]],
      ['[{k => x}, {k => y}, {k => y}].sliceWhere($.k).select($.len())', [1, 2]],
      ['[null, 0, 1].sliceWhere($)', [[null], [0], [1]]],
      ['range(4).splitAt(-1)', [[0, 1, 2], [3]]],
      ['range(3).reverse()', [2, 1, 0]],
      ['[].select($).defaultIfEmpty([1]).concat([2].select($).defaultIfEmpty([1]))', [1, 2]],
      ['[1, 2].join([2, 3], $1 = $2, [$1, $2])', [[2, 2]]],
      ['[1, 2].select($).join([2, 3].select($), true, $1 * $2)', [2, 3, 4, 6]],
    ], // oxfmt-ignore
    scope,
  );
});

describe('predicates', () => {
  testAnswers(
    [
      ['ctx(people).any($.age < 30) and not ctx(people).all($.age < 30) and not [].any() and [].all()', true],
      ['[0].any() and not all([1, 0])', true],
      ['[ctx(people).count(), range(3).count()]', [3, 3]],
      ['[null].first()', null],
      ['[].first()', fails('StopIteration: ')],
      ['[].last(default => null)', null],
      ['[4].single() + [5, 6].last()', 10],
      ['[1, 2].single()', fails('StopIteration: Collection contains more than one item')],
      ['[].single()', fails('StopIteration: ')],
      ['[1, 2, 1].indexOf(1) + [1, 2, 1].lastIndexOf(1.0) + [1].indexOf(3)', 1],
      ['ctx(people).indexWhere($.team = b) + ctx(people).lastIndexWhere($.team = b)', 3],
    ],
    scope,
  );
});

describe('folds', () => {
  testAnswers([
    ['[1, 2.5].sum() + [].sum(1)', 4.5],
    ['[[1], [2]].sum() + [a, b].select([$]).sum([])', [1, 2, 'a', 'b']],
    ['[].sum()', fails('TypeError: reduce() of empty iterable with no initial value')],
    ['[3, null, 9].max() + [b, a].min().len()', 10],
    ['[2, 3].reduce($1 * $2) + [2, 3].aggregate($1 * $2, 10)', 66],
    ['[].aggregate($1, seed => null)', null],
    ['[1, 2, 3].accumulate($1 + $2)', [1, 3, 6]],
    ['[].accumulate($1 + $2, 5)', [5]],
    ['[].accumulate($1)', fails('TypeError: accumulate() of empty sequence with no initial value')],
    ['{a => {x => 1, l => [1]}}.mergeWith({a => {y => 2, l => [1, 2]}})', { a: { x: 1, l: [1, 2], y: 2 } }],
    ['{a => {x => [1]}}.mergeWith({a => {x => [2]}}, maxLevels => 2)', { a: { x: [2] } }],
    ['{a => [1]}.mergeWith({a => [2]}, $2 + $1)', { a: [2, 1] }],
    ['{a => [1]}.mergeWith({a => 2})', { a: 2 }],
    ["{a => x}.mergeWith({a => {b => 1}})", fails("TypeError: Cannot merge <class 'str'> with <class 'dict'>")],
  ]); // oxfmt-ignore
});

describe('sorting and grouping', () => {
  testAnswers(
    [
      ['ctx(people).orderByDescending($.age).thenBy($.team).name', ['Ann', 'Cyd', 'Bob']],
      ['ctx(people).orderBy($.age).thenByDescending($.name).name', ['Bob', 'Cyd', 'Ann']],
      ['let([3, 1, 2].orderBy($)) -> [$.first(), $.toList(), $.last()]', [1, [1, 2, 3], 3]],
      ['[2, null, 1].orderBy($)', [null, 1, 2]],
      ['[true, false].orderBy($)', fails('NoMatchingFunctionException: No function "#operator_<" matches supplied arguments')],
      ['[{}].orderBy($.nope)', [{}]],
      ['ctx(people).groupBy($.team, $.name)', [['a', ['Ann']], ['b', ['Bob', 'Cyd']]]],
      ['ctx(people).groupBy($.age, $.name, $.len())', [[31, 2], [25, 1]]],
      ['ctx(people).groupBy($.age, aggregator => [$[0], $[1].select($.name).toList()])', [[31, ['Ann', 'Cyd']], [25, ['Bob']]]],
      ['ctx(people).groupBy($.age, aggregator => $.nope)', fails("KeyError: 'nope'")],
      ['ctx(people).groupBy($.age, aggregator => 1 + x)', fails('NoMatchingFunctionException: No function "#operator_+" matches supplied arguments')],
      ['[[1], [1.0]].groupBy($)', [[[1], [[1], [1]]]]],
    ], // oxfmt-ignore
    scope,
  );
});

describe('generators', () => {
  testAnswers([
    ['range(2, 9, 3)', [2, 5, 8]],
    ['range(3, 0, -1)', [3, 2, 1]],
    ['range(1, 2, 0)', fails('ValueError: range() arg 3 must not be zero')],
    ['range(9007199254740990, 9007199254740993).last()', 9007199254740992n],
    ['sequence(2, 3).take(3)', [2, 5, 8]],
    ['x.repeat(2)', ['x', 'x']],
    ['null.repeat().take(1)', [null]],
    ['generate(1, $ < 20, $ * 3, $ + 1)', [2, 4, 10]],
    ['generate(1, true, ($ + 1) mod 3, decycle => true)', [1, 2, 0]],
    ['generateMany(1, switch($ < 4 => [$ * 2, $ * 2 + 1], true => []))', [1, 2, 3, 4, 5, 6, 7]],
    ['generateMany(1, switch($ < 4 => [$ * 2, $ * 2 + 1], true => []), depthFirst => true)', [1, 2, 4, 5, 3, 6, 7]],
    ['generateMany(0, [($ + 1) mod 3], decycle => true)', [0, 1, 2]],
    ['generateMany(1, $)', fails('TypeError: The producer of generateMany must return a collection')],
  ]);
});
