import { evaluateYaql, ExpressionError, type HostFunction, Interruption } from '../../src';
import { fails, testAnswers } from './answers';
import { scopeOf } from './host';

const noFunction = (name: string) =>
  fails(`NoMatchingFunctionException: No function "${name}" matches supplied arguments`);
const noMethod = (name: string, receiver: string) =>
  fails(`NoMatchingMethodException: No method "${name}" for receiver ${receiver} matches supplied arguments`);

describe('the function that a call resolves to', () => {
  testAnswers([
    ['missing()', fails('NoFunctionRegisteredException: Unknown function "missing"')],
    ['5.missing()', fails('NoMethodRegisteredException: Unknown method "missing" for receiver 5')],
    ['[1, b].missing()', fails('NoMethodRegisteredException: Unknown method "missing" for receiver (1, \'b\')')],
    ['toUpper(a)', fails('NoFunctionRegisteredException: Unknown function "toUpper"')],
    ['1.range(2)', fails('NoMethodRegisteredException: Unknown method "range" for receiver 1')],
    ['null.len()', noMethod('len', 'None')],
    ['[1].select()', noMethod('select', '(1,)')],
    ['[1].select($, $)', noMethod('select', '(1,)')],
    ['[1].first(1, default => 2)', noMethod('first', '(1,)')],
    ['[1].first(fallback => 2)', noMethod('first', '(1,)')],
    ['[].first(default => 2)', 2],
    ['abs(a)', noFunction('abs')],
    ['abs(true)', noFunction('abs')],
    ['bitwiseNot(true)', -2],
    ['range(1.0)', noFunction('range')],
    ['len_(abc)', 3],
    ['concat()', fails('AmbiguousFunctionException: Ambiguous function "concat"')],
    ["[1].select('k' => 1)", fails('MappingTranslationException: Cannot convert mapping to keyword argument')],
    ['switch(1)', noFunction('switch')],
    ['[k => 1]', noFunction('#list')],
    ['{1}', noFunction('#map')],
    ['a.(b)', noFunction('#operator_.')],
    ["a?.'b'", noFunction('#operator_?.')],
    ["abc['1']", noFunction('#indexer')],
    ['[1][0, 1]', noFunction('#indexer')],
    ['1 -> 2', noFunction('#operator_->')],
    ['-abc', noFunction('#unary_operator_-')],
    ["'a' mod 2", noFunction('#operator_mod')],
  ]);

  test('arguments are evaluated before a call fails for their types, so their errors come first', () => {
    expect(() => evaluateYaql('abs([].first())', scopeOf({}))).toThrow(expect.objectContaining({ kind: 'StopIteration' })); // oxfmt-ignore
  });

  test('arguments are not evaluated if their number does not fit', () => {
    expect(() => evaluateYaql('abs([].first(), 1)', scopeOf({}))).toThrow(expect.objectContaining({ kind: 'NoMatchingFunctionException' })); // oxfmt-ignore
  });
});

describe('lookups', () => {
  testAnswers(
    [
      ['ctx().hosts.name', ['a', 'b']],
      ['ctx().hosts.tags', [['x'], []]],
      ['[[{k => 1}], [{k => 2}]].k', [[1], [2]]],
      ['ctx().hosts.nope', fails("KeyError: 'nope'")],
      ["{a => 1}['b c']", fails("KeyError: 'b c'")],
      ['{a => 1}[2]', fails('KeyError: 2')],
      ['{a => 1}[b, 5]', 5],
      ['{a => 1}[b, default => 5]', 5],
      ['ctx().hosts[-1].name', 'b'],
      ['ctx().hosts[2]', fails('IndexError: tuple index out of range')],
      ["'a b'.split()[2]", fails('IndexError: list index out of range')],
      ['ctx().hosts.where($.name = b)[0].name', 'b'],
      ['{a => 1}.keys()[0]', 'a'],
      ['ctx().hosts.constructor', fails("KeyError: 'constructor'")],
      ["ctx()['__proto__', x]", 'x'],
      ['null.x', fails('NoFunctionRegisteredException: Unknown function "#property#x"')],
      ['null?.x', null],
      ['null?.len()', null],
      ['ctx()?.hosts?.len()', 2],
      ['$', null],
      ['$nothing', null],
      ['$__vars.hosts.len()', 2],
      ['$__current_task.id', 't1'],
      ['$__current_item', null],
      ['$__other', null],
      ['[1, 2].select([$, $1, $x])', [[1, 1, null], [2, 2, null]]],
      ['[1].select(let(x => $ + 1) -> [$, $x])', [[1, 2]]],
      ['[[1, 2]].select($.select($ * 2))', [[2, 4]]],
    ], // oxfmt-ignore
    scopeOf({
      hosts: [
        { name: 'a', tags: ['x'] },
        { name: 'b', tags: [] },
      ],
      __current_task: { id: 't1' },
      __other: 1,
    }),
  );
});

describe('host functions', () => {
  const scope = scopeOf({ a: [1, { b: 2 }] });

  testAnswers(
    [
      ['echo(1)', [1, null]],
      ['echo(1, secondOne => [2].select($))', [1, [2]]],
      ['echo(first => 1.0, secondOne => {k => set(1)})', [1, { k: [1] }]],
      ['echo(1, second_one => 2)', noFunction('echo')],
      ['echo()', noFunction('echo')],
      ['echo(1, 2, 3)', noFunction('echo')],
      ['echo(1, first => 2)', noFunction('echo')],
      ["echo('first' => 2)", fails('MappingTranslationException: Cannot convert mapping to keyword argument')],
      ['zip([1, 2], [a])', [[1, 'a'], [2, null]]],
      ['zip([1, 2], [a], pad => 0)', [[1, 'a'], [2, 0]]],
      ['zip([1], other => 0)', noFunction('zip')],
      ['1.echo()', fails('NoMethodRegisteredException: Unknown method "echo" for receiver 1')],
      ['ctx(nope)', fails('VariableUndefinedError: The variable "nope" is undefined.')],
      ["json('{')", expect.objectContaining({ failure: expect.stringMatching(/^SyntaxError: /) })],
    ], // oxfmt-ignore
    scope,
  );

  test('keep the class of their errors, with the expression added', () => {
    expect(() => evaluateYaql(' ctx(nope)', scope)).toThrow(
      expect.objectContaining({ kind: 'VariableUndefinedError', expression: ' ctx(nope)' }),
    );
  });

  test('get data without a copy', () => {
    const data = { list: [1, [2]], map: { k: [3] } };
    const seen: unknown[] = [];
    const spy: HostFunction = { parameters: ['x'], required: 1, call: (args) => seen.push(...args) };
    const functions = new Map([...scopeOf(data).functions, ['spy', spy]]);
    evaluateYaql('[spy(ctx(list)), spy(ctx().map)]', { variables: data, functions });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(data.list);
    expect(seen[1]).toBe(data.map);
  });

  test('pass interruptions through', () => {
    class Wait extends Interruption {}
    const wait: HostFunction = {
      parameters: [],
      required: 0,
      call: () => {
        throw new Wait();
      },
    };
    expect(() => evaluateYaql('[1].select(wait())', { variables: {}, functions: new Map([['wait', wait]]) })).toThrow(Wait); // oxfmt-ignore
  });

  test('override library functions of the same name', () => {
    const one: HostFunction = { parameters: [], required: 0, call: () => 'mine' };
    const functions = new Map([['str', one]]);
    expect(evaluateYaql('str()', { variables: {}, functions })).toBe('mine');
    expect(evaluateYaql('str(1)', scope)).toBe('1');
    expect(() => evaluateYaql('str(1)', { variables: {}, functions })).toThrow(ExpressionError);
  });

  test('may evaluate expressions themselves', () => {
    const inner: HostFunction = { parameters: ['x'], required: 1, call: ([x]) => evaluateYaql(String(x), scope) };
    const functions = new Map([['run', inner]]);
    expect(evaluateYaql("run('1 + 1') + run('ctx(a)[0]')", { variables: {}, functions })).toBe(3);
  });
});

describe('iterators', () => {
  testAnswers([
    ['let([1, 2].select($)) -> [$.toList(), $.toList()]', [[1, 2], []]],
    ['let([1, 2].select($).memorize()) -> [$.toList(), $.toList()]', [[1, 2], [1, 2]]],
    ['let(range(5)) -> [$.first(), $.take(2).toList(), $.toList()]', [0, [1, 2], [3, 4]]],
    ['[1, 2].select(nope()).take(0)', []],
    ['[0].select(1 / $)', fails('ZeroDivisionError: integer division or modulo by zero')],
    ['let([0].select(1 / $)) -> 5', 5],
    ['sequence().select($ * $).where($ mod 2 = 1).take(3)', [1, 9, 25]],
    ['isList([1].select($)) or isIterable(null) or isIterable(abc)', false],
  ]); // oxfmt-ignore
});
