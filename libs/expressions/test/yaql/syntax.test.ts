import { evaluateYaql, ExpressionError, yaqlProblem } from '../../src';
import { scopeOf } from './host';

const scope = scopeOf({ a: { b: [{ c: 7 }] }, n: 3 });

describe('literals', () => {
  test.each([
    ["'one\\ttwo'", 'one\ttwo'],
    ['"it\'s"', "it's"],
    ["'a\\d\\w'", 'a\\d\\w'],
    ["'\\x41\\u00e9\\101\\U0001F600'", 'Aé' + 'A😀'],
    ["'\\N{EM DASH}\\N{LATIN SMALL LETTER Q}\\N{NO SUCH NAME}'", '—q\\N{NO SUCH NAME}'],
    ['`\\d+\\``', '\\d+`'],
    ["'two\nlines'", 'two\nlines'],
    ['0010', 10],
    ['10.250', 10.25],
    ['word', 'word'],
    ['True', 'True'],
    ['_x9', '_x9'],
    ['größe', 'größe'],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
  ])('%s', (source, value) => {
    expect(evaluateYaql(source, scope)).toEqual(value);
  });
});

describe('precedence', () => {
  test.each([
    ['1 + 2 * 3 - 4 / 2', 5],
    ['(1 + 2) * 3', 9],
    ['-3.abs', 'fails'],
    ['-ctx(n) + 1', -2],
    ['- -2', 2],
    ['1 - -1', 2],
    ['ctx().a.b[0].c', 7],
    ['-ctx().a.b[0].c', -7],
    ['not 1 > 2 and not false', true],
    ['not not 1', true],
    ['1 = not 2 and 5', false],
    ['false and false or true', true],
    ['2 > 1 = true', true],
    ["'x' + 'y' =~ '^y'", 'fails'],
    ["('x' + 'y') =~ '^x'", true],
    ['let(5) -> let($ * 2) -> $ + 1', 11],
    ['let(1) -> $ or 2', 1],
    ['not(1 = 2) and(3)', 3],
    ['2 in([1, 2])', true],
    ['7 mod(4)', 3],
  ])('%s', (source, value) => {
    const result = () => evaluateYaql(source, scope);
    if (value === 'fails') expect(result).toThrow(ExpressionError);
    else expect(result()).toEqual(value);
  });
});

describe('problems', () => {
  test.each([
    ['', 'YaqlGrammarException', 'Parse error: unexpected end of statement', 0],
    ['ctx(', 'YaqlGrammarException', 'Parse error: unexpected end of statement', 4],
    ['[1, ]', 'YaqlGrammarException', "Parse error: unexpected ']' at position 4 of expression '[1, ]'", 4],
    ['f(k => 1, 2)', 'YaqlGrammarException', "Parse error: unexpected ')' at position 11 of expression 'f(k => 1, 2)'", 11],
    ['f(a => b => c)', 'YaqlGrammarException', "Parse error: unexpected '=>' at position 9 of expression 'f(a => b => c)'", 9],
    ['f(1,)', 'YaqlGrammarException', "Parse error: unexpected ')' at position 4 of expression 'f(1,)'", 4],
    ['1 true', 'YaqlGrammarException', "Parse error: unexpected 'True' at position 2 of expression '1 true'", 2],
    ["'é😀' 'two words'", 'YaqlGrammarException', "Parse error: unexpected 'two words' at position 5 of expression ''é😀' 'two words''", 6],
    ['len (x)', 'YaqlGrammarException', "Parse error: unexpected '(' at position 4 of expression 'len (x)'", 4],
    ['a == b', 'YaqlGrammarException', "Parse error: unexpected '=' at position 3 of expression 'a == b'", 3],
    ['1 $x', 'YaqlGrammarException', "Parse error: unexpected '$x' at position 2 of expression '1 $x'", 2],
    ['a ? b', 'YaqlLexicalException', "Lexical error: illegal character '?' at position 2", 2],
    ["ctx('a", 'YaqlLexicalException', "Lexical error: illegal character ''' at position 4", 4],
    ['3x + )', 'YaqlLexicalException', "Lexical error: illegal character '3' at position 0", 0],
    [') + 3x', 'YaqlGrammarException', "Parse error: unexpected ')' at position 0 of expression ') + 3x'", 0],
    ['a.__b', 'YaqlLexicalException', "Lexical error: illegal character '_' at position 2", 2],
  ])('%s', (source, kind, message, position) => {
    expect(yaqlProblem(source)).toMatchObject({ kind, message, position, expression: source });
    expect(() => evaluateYaql(source, scope)).toThrow(message);
  }); // oxfmt-ignore

  test('a position counts from the start of the input, a message from the first character', () => {
    expect(yaqlProblem('  1 2')).toMatchObject({ position: 4, message: expect.stringContaining('position 2') });
  });

  test('an expression that can only fail at run time has no syntax error', () => {
    expect(yaqlProblem('nope(1).x[a, b => 2] and 1 / 0')).toBeUndefined();
  });
});

describe('positions of arguments', () => {
  test.each([
    ['range(, 3)', 'fails'],
    ['sequence(, 5).take(2)', [0, 5]],
    ['sequence(, step => 5).take(2)', [0, 5]],
    ["'a-b-c'.split(-, 1)", 'fails'],
    ["'a b c'.split(, 1)", ['a', 'b c']],
    ['{x => 1}.mergeWith({x => 4},, $1 - $2)', { x: -3 }],
    ['[1,, 2]', 'fails'],
  ])('%s', (source, value) => {
    const result = () => evaluateYaql(source, scope);
    if (value === 'fails') expect(result).toThrow(ExpressionError);
    else expect(result()).toEqual(value);
  });
});
