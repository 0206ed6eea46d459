import { fails, testAnswers } from '../answers';

describe('contexts', () => {
  testAnswers([
    ['let(1, 2, x => 3) -> [$, $1, $2, $x, $3]', [1, 1, 2, 3, null]],
    ['let(a => 1) -> let(b => $a + 1, a => 5) -> [$a, $b]', [5, 2]],
    ['with(a, b) -> $2 + $1', 'ba'],
    ['[1, 2].unpack(x, y) -> $x - $y', -1],
    ['[1, 2].unpack() -> [$2, $]', [2, 1]],
    ['range(3).unpack() -> $3', 2],
    ['[1].unpack(x, y)', fails('ValueError: Cannot unpack 1 elements into 2')],
    ["let('a' => 1)", fails('MappingTranslationException: Cannot convert mapping to keyword argument')],
    ['def(twice, $ * 2) -> twice(4) + [1].select(twice($)).first()', 10],
    ['def(add_all, $1 + $2 + $third) -> addAll(1, 2, third => 3)', 6],
    ['def(fib, switch($ < 2 => $, true => fib($ - 1) + fib($ - 2))) -> fib(12)', 144],
    ['def(a, 1) -> def(b, a() + 1) -> [a(), b()]', [1, 2]],
    ['def(str, mine) -> str(1)', 'mine'],
    ['def(f, 1) -> f(1 => 2)', fails('MappingTranslationException: Cannot convert mapping to keyword argument')],
    ['[def(f, 1) -> f(), f()]', fails('NoFunctionRegisteredException: Unknown function "f"')],
  ]);
});

describe('calls by name', () => {
  testAnswers([
    ["call('range', [1, 3], {})", [1, 2]],
    ['call(range, [1], {stop => 3})', [1, 2]],
    ["call('#operator_-', [5, 3], {}) + call('*equal', [1, 1], {}).repeat(1).count()", 3],
    ["call('#indexer', [{a => 1}, a], {}) + call('#indexer', [{}, a, 2], {})", 3],
    ["call('#operator_and', [0, 1], {}) + call('#operator_or', [0, 1], {})", 1],
    ["call('#unary_operator_-', [1], {})", -1],
    ["call(join, [[a, b]], {}, '-')", 'a-b'],
    ["call(select, ['x'], {}, [1])", ['x']],
    ['def(f, $ + 1) -> call(f, [1], {})', 2],
    ["call('#list', [1, 2], {})", [1, 2]],
    ['call(nope, [], {})', fails('NoFunctionRegisteredException: Unknown function "nope"')],
  ]);
});

describe('branching', () => {
  testAnswers([
    ['switch(false => 1 / 0, true => a, nope() => b)', 'a'],
    ['switch(0 => a)', null],
    ['selectCase(0, null, x)', 2],
    ['selectCase()', 0],
    ['selectAllCases(1, 0, x)', [0, 2]],
    ['examine(1, 0)', [true, false]],
    ['[1.switchCase(a, b, nope()), 5.switchCase(a, b), (-1).switchCase(a, b), 0.switchCase()]', ['b', 'b', 'b', null]],
    ['coalesce(null, 0, nope())', 0],
    ['5.assert($ > 4) + 1', 6],
    ['5.assert($ > 9)', fails('AssertionError: Assertion failed')],
    ["5.assert(false, 'too small')", fails('AssertionError: too small')],
    ['isBoolean(false) and not isBoolean(0)', true],
  ]);
});
