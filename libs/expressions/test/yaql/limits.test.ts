import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import { evaluateYaql, ExpressionError, yaqlProblem, yaqlText } from '../../src';
import { scopeOf } from './host';

const deep = (): unknown => {
  let value: unknown[] = [];
  for (let level = 0; level < 20_000; level += 1) value = [value];
  return value;
};
const scope = scopeOf({
  deep: deep(),
  big: Array.from({ length: 500_000 }, (_, index) => index),
  long: 'é'.repeat(1e6),
});

const TOO_LONG = 'CollectionTooLargeException';
const TOO_MUCH = 'MemoryQuotaExceededException';
const STEPS = 'StepLimitExceededException';
const DEPTH = 'RecursionError';
const SYNTAX = 'YaqlGrammarException';

/** A fifth and a tenth of the defaults, to keep the tests fast. */
const limits = { steps: 1_000_000, elements: 100_000 };

describe('a runaway expression fails quickly', () => {
  test.each(
    [
      ['sequence().len()', TOO_LONG],
      ['sequence()', TOO_LONG],
      ['[1].cycle().toList()', TOO_LONG],
      ['x.repeat().where($ = y).first()', TOO_LONG],
      ['range(1000000000000).sum()', TOO_LONG],
      ['generate(1, true, $)', TOO_LONG],
      ['generateMany(1, [$, $])', TOO_LONG],
      ['[1] * 1000000000', TOO_LONG],
      ['range(99).aggregate($1 + $1, [1])', TOO_LONG],
      ["('x ' * 5000000).split()", TOO_LONG],
      ["('x' * 5000000).toCharArray()", TOO_LONG],
      ["'a' * 1000000000", TOO_MUCH],
      ['pow(9, 99999999)', TOO_MUCH],
      ['shiftBitsLeft(1, 1000000000)', TOO_MUCH],
      ['range(99).aggregate($1 + $1, x)', TOO_MUCH],
      ["('a' * 100000).replace(a, 'b' * 100000)", TOO_MUCH],
      ["('a' * 100000).replace(regex(a), 'b' * 100000)", TOO_MUCH],
      ["range(100000).join('x' * 100000)", TOO_MUCH],
      ['range(99).aggregate([$1, $1], 1)', STEPS],
      ['range(99).aggregate([$1, $1], 1) = range(99).aggregate([$1, $1], 1)', STEPS],
      ['set(range(99).aggregate([$1, $1], 1))', STEPS],
      ['str(range(99).aggregate([$1, $1], 1))', STEPS],
      ['range(100000).aggregate($1.set($2, 1), {})', STEPS],
      ['range(100000).select(ctx(big).last())', STEPS],
      ['range(100000).select(ctx(long).toUpper().len())', STEPS],
      ['range(100000).select(pow(2, 14000)).toList()', STEPS],
      ['def(f, f($ + 1)) -> f(1)', DEPTH],
      ['def(f, [$].select(f($)).first()) -> f(1)', DEPTH],
      ['range(100000).aggregate($1.select($), [1])', DEPTH],
      ['ctx(deep).flatten()', DEPTH],
      ['ctx(deep).toList()', DEPTH],
      ['set(ctx(deep))', DEPTH],
      [`${'('.repeat(100_000)}1${')'.repeat(100_000)}`, SYNTAX],
      ['['.repeat(100_000), SYNTAX],
      ['not '.repeat(100_000) + '1', SYNTAX],
      ['1' + ' + 1'.repeat(100_000), SYNTAX],
      ['a' + '[b'.repeat(100_000), SYNTAX],
      ["('a' * 3000) =~ '(a+)+$x'", 'TimeLimitExceededException'],
    ].map(([source = '', kind = '']) => [source.slice(0, 60), kind, source] as const),
  )('%s: %s', (_name, kind, source) => {
    const started = cpuTimeMs();
    expect(() => evaluateYaql(source, scope, limits)).toThrow(
      expect.objectContaining({ name: 'ExpressionError', kind }),
    );
    expect(cpuTimeMs() - started).toBeLessThan(8_000);
  });

  test('a runaway text of a value fails quickly', () => {
    expect(() => yaqlText('range(99).aggregate([$1, $1], 1)', scope, limits)).toThrow(
      expect.objectContaining({ kind: STEPS }),
    );
    expect(() => yaqlText('ctx(deep)', scope)).toThrow(expect.objectContaining({ kind: DEPTH }));
  });

  test('a syntax error is found quickly', () => {
    expect(yaqlProblem('{'.repeat(100_000))).toMatchObject({ kind: SYNTAX });
  });
});

describe('limits', () => {
  test.each([
    ['range(11)', { elements: 10 }, 'Collection length exceeds 10 elements'],
    ["'x' * 11", { characters: 10 }, 'Expression consumed too much memory'],
    ['range(100).len()', { steps: 50 }, 'Expression takes more than 50 steps'],
    ['range(100000).select(range(3).len()).len()', { durationMs: 0 }, 'Expression takes longer than 0 ms'],
    ['def(f, switch($ > 0 => f($ - 1))) -> f(9)', { depth: 8 }, 'maximum recursion depth exceeded'],
  ])('%s', (source, limits, message) => {
    expect(() => evaluateYaql(source, scope, limits)).toThrow(message);
    expect(() => evaluateYaql(source, scope)).not.toThrow();
  });

  test('apply to one evaluation only', () => {
    expect(() => evaluateYaql('sequence().len()', scope)).toThrow(ExpressionError);
    expect(evaluateYaql('range(1000).where($ mod 2 = 0).select(str($)).len()', scope)).toBe(500);
  });

  test('leave room for reasonable work', () => {
    // A busy machine may be slow.
    const value = (source: string): unknown => evaluateYaql(source, scope, { durationMs: 60_000 });
    expect(value('ctx(big).where($ mod 2 = 0).select({id => $, name => str($)}).len()')).toBe(250_000);
    expect(value("ctx(big).select(str($)).join(',').len()")).toBe(3_388_889);
  });
});
