import { checkCriteria, compileCriteria, type CriterionProblem } from '../../src';

const env = { now: 0 };

describe('compileCriteria', () => {
  it.each<[criteria: Record<string, unknown> | null, payload: unknown, holds: boolean]>([
    [{}, {}, true],
    [null, null, true],
    [{ 'trigger.a': { type: 'nexists' } }, {}, false],
    [{ 'trigger.a': { type: 'nexists' } }, { b: 1 }, true],
    [{ 'trigger.n#low': { type: 'gt', pattern: 1 }, 'trigger.n#high': { type: 'lt', pattern: 5 } }, { n: 3 }, true],
    [{ 'trigger.n#low': { type: 'gt', pattern: 1 }, 'trigger.n#high': { type: 'lt', pattern: 5 } }, { n: 7 }, false],
    [{ 'trigger.a': { pattern: 1 } }, { a: 1 }, false],
    [{ 'trigger.a': 'text' }, { a: 1 }, false],
  ])('tests %j on %j', (criteria, payload, holds) => {
    expect(compileCriteria(criteria)(payload, env)).toBe(holds);
  });

  it('reports key and pattern of a criterion that could not be tested', () => {
    const problems: CriterionProblem[] = [];
    const told = { ...env, problem: (problem: CriterionProblem) => problems.push(problem) };
    const render = (): never => {
      throw new Error("'y' is undefined");
    };
    const one = (key: string, type: string, pattern: unknown) => compileCriteria({ [key]: { type, pattern } });
    one('trigger.a', 'gt', 5)({ a: 'x' }, told);
    one('trigger.a[', 'eq', 5)({ a: 'x' }, told);
    one('trigger.a', 'eq', '{{ y }}')({ a: 'x' }, { ...told, render });
    expect(problems).toEqual([
      expect.objectContaining({ kind: 'operator', key: 'trigger.a', pattern: 5 }),
      expect.objectContaining({ kind: 'key', key: 'trigger.a[' }),
      { kind: 'render', key: 'trigger.a', pattern: '{{ y }}', reason: "'y' is undefined" },
    ]);
  });
});

describe('checkCriteria', () => {
  it.each<[criteria: unknown, message: RegExp | string]>([
    ['x', 'Criteria must be an object, got str'],
    [{ 'trigger.x': 'x' }, /^For field: trigger.x, expected an object .* got str$/],
    [{ 'trigger.a': { pattern: 'x' } }, 'Operator not specified for field: trigger.a'],
    [{ 'trigger.a': { type: 'equals' } }, 'For field: trigger.a, no pattern specified for operator equals'],
    [
      { 'trigger.a': { type: 'nope', pattern: 'x' } },
      /^For field: trigger.a, operator nope not in list of allowed operators: \['matchwildcard', .*, 'search'\]$/,
    ],
    [
      { 'trigger.a': { type: 'search', condition: 'any', pattern: { 'item.b': { type: 'nope', pattern: 1 } } } },
      /^For field: item.b, operator nope/,
    ],
  ])('rejects %j', (criteria, message) => {
    expect(() => checkCriteria(criteria)).toThrow(message);
  });

  it('accepts patterns whose errors only show at run time', () => {
    const criteria = { 'trigger.a': { type: 'regex', pattern: '(' }, 'trigger.b': { type: 'search', pattern: 'x' } };
    expect(() => checkCriteria(criteria)).not.toThrow();
  });
});
