import { compileCriterion, CRITERIA_OPERATORS, criteriaOperator, type CriterionProblem } from '../../src';

const MINUTE = 60_000_000;
const NOW = Date.UTC(2026, 10, 20, 12) * 1000;

function ask(type: string, value: unknown, pattern?: unknown, condition?: string) {
  const problems: CriterionProblem[] = [];
  const test = compileCriterion({ type, pattern, condition });
  return { holds: test(value, { now: NOW, problem: (told) => problems.push(told) }), problems };
}

describe('criteria operators', () => {
  it.each<[type: string, value: unknown, pattern: unknown, holds: boolean]>([
    ['eq', 1, true, true],
    ['equals', { a: [1, { b: null }] }, { a: [true, { b: null }] }, true],
    ['equals', '1', 1, false],
    ['neq', null, null, false],
    ['nequals', [1], [2], true],
    ['iequals', 'ŽLUŤ', 'žluť', true],
    ['contains', ['a', 1], true, true],
    ['contains', { key: 0 }, 'key', true],
    ['ncontains', 'abc', 'd', true],
    ['icontains', 'Disk FULL', 'full', true],
    ['incontains', 'Disk FULL', 'full', false],
    ['istartswith', 'Web1', 'wEB', true],
    ['iendswith', 'web.COM', '.com', true],
    ['lt', '\uffff', '😀', true],
    ['lessthan', [1, 2], [1, 3], true],
    ['gt', [1, 2], [1], true],
    ['greaterthan', 2.5, true, true],
    ['matchwildcard', 'web1.example.com', 'web[0-9].*', true],
    ['matchwildcard', 'a\nb', 'a?b', true],
    ['matchwildcard', 'b', '[!a-c]', false],
    ['matchwildcard', 'x]y', 'x[]]y', true],
    ['matchwildcard', '[', '[', true],
    ['regex', 'a\nb', 'b$', true],
    ['iregex', 'DISK', 'is', true],
    ['regex', 'DISK full', '(?i:disk) full', true],
    ['matchregex', 'a\nb', 'a.b', true],
    ['matchregex', 'xa', 'a', false],
    ['exists', null, 'ignored', false],
    ['exists', 0, undefined, true],
    ['nexists', null, undefined, true],
    ['in', 'a', ['a', 'b'], true],
    ['inside', 'key', { key: 1 }, true],
    ['nin', 'bc', 'abcd', false],
    ['ninside', 5, [1], true],
  ])('%s returns for %j and %j: %j', (type, value, pattern, holds) => {
    expect(ask(type, value, pattern)).toEqual({ holds, problems: [] });
  });

  it.each<[type: string, value: unknown, pattern: unknown, reason: RegExp]>([
    ['gt', 'x', 5, /^'>' not supported between instances of 'str' and 'int'$/],
    ['lt', null, 5, /'<' not supported between instances of 'NoneType' and 'int'/],
    ['regex', 'x', '(', /unterminated subpattern/],
    ['matchregex', 5, 'x', /expected a string, got int/],
    ['iequals', 5, 'x', /expected a string/],
    ['contains', 5, 'x', /argument of type 'int' is not iterable/],
    ['inside', 5, 'x', /requires string as left operand, not int/],
    ['contains', { a: 1 }, ['a'], /unhashable type: 'list'/],
    ['timediff_lt', 'whenever', 5, /Unknown string format: whenever/],
    ['timediff_gt', '2026-11-20', 'soon', /number of seconds: 'soon'/],
    ['search', [], 'x', /object of criteria/],
  ])('%s is false for %j and %j, with a problem', (type, value, pattern, reason) => {
    const { holds, problems } = ask(type, value, pattern);
    expect(holds).toBe(false);
    expect(problems).toEqual([expect.objectContaining({ kind: 'operator', reason: expect.stringMatching(reason) })]);
  });

  it('a missing value causes no problem: only negated operators hold', () => {
    const holding = CRITERIA_OPERATORS.filter((type) => {
      const { holds, problems } = ask(type, undefined, 'x', 'any');
      expect(problems).toEqual([]);
      return holds;
    });
    expect(holding).toEqual(['neq', 'nequals', 'ncontains', 'incontains', 'nexists', 'ninside', 'nin']);
  });

  it('is false for a null pattern, except where null is meaningful', () => {
    const holding = CRITERIA_OPERATORS.filter((type) => ask(type, 'x', null).holds);
    expect(holding).toEqual(['neq', 'nequals', 'exists']);
  });

  it.each<[type: string, value: string, pattern: unknown, holds: boolean]>([
    ['td_lt', '2026-11-20T11:59:00Z', 61, true],
    ['timediff_lt', '2026-11-20T11:59:00Z', '60', false],
    ['td_gt', 'Fri, 20 Nov 2026 11:00:00 GMT', 3599, true],
    ['timediff_gt', '2026-11-20T12:59:00+02:00', 3_660, false],
    ['timediff_lt', '2026-11-20T12:01:00', -59, true],
    ['timediff_lt', '2026-11-20', 'inf', true],
  ])('%s compares the age of %s with %j', (type, value, pattern, holds) => {
    expect(ask(type, value, pattern)).toEqual({ holds, problems: [] });
  });

  it('receives the current time from its caller', () => {
    const test = compileCriterion({ type: 'timediff_gt', pattern: 30 });
    const ages = [0, MINUTE].map((passed) => test('2026-11-20T12:00:00Z', { now: NOW + passed }));
    expect(ages).toEqual([false, true]);
  });

  it('names an unknown operator and the known ones', () => {
    expect(() => criteriaOperator('Equals')).toThrow(
      expect.objectContaining({
        code: 'criteria.unknown-operator',
        message: expect.stringMatching(/"Equals".*equals/),
      }),
    );
    expect(() => compileCriterion({ type: 'toString' })).toThrow(/toString/);
  });

  it('stops an expression that backtracks endlessly', () => {
    const { holds, problems } = ask('regex', `${'a'.repeat(60)}!`, '(a|a)*$x');
    expect([holds, problems[0]?.reason]).toEqual([false, expect.stringMatching(/did not finish within/)]);
  });
});
