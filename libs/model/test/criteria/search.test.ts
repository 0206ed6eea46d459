import { compileCriteria, compileCriterion, type CriterionProblem } from '../../src';

const children = { 'item.k': { type: 'eq', pattern: 'a' }, 'item.n': { type: 'gt', pattern: 3 } };
const search = (condition: string, pattern: unknown = children) =>
  compileCriterion({ type: 'search', condition, pattern });

const both = { k: 'a', n: 9 };
const one = { k: 'a', n: 1 };
const none = { k: 'b', n: 1 };

describe('search', () => {
  it.each<[value: unknown, any: boolean, all: boolean, any2any: boolean, all2any: boolean]>([
    [[both, none], true, false, true, false],
    [[both, both], true, true, true, true],
    [[one, none], false, false, true, false],
    [[one, both], true, false, true, true],
    [[none], false, false, false, false],
    [[], false, true, false, true],
    [both, true, true, true, true],
  ])('searches %j', (value, ...expected) => {
    const answers = ['any', 'all', 'any2any', 'all2any'].map((condition) => search(condition)(value, { now: 0 }));
    expect(answers).toEqual(expected);
  });

  it('treats a text as a list of characters, and can be nested', () => {
    expect(search('any', { item: { type: 'eq', pattern: '😀' } })('a😀', { now: 0 })).toBe(true);
    const nested = search('any', { 'item.inner': { type: 'search', condition: 'all', pattern: children } });
    expect(nested([{ inner: [both] }, { inner: [none] }], { now: 0 })).toBe(true);
  });

  it.each([
    ['some', [both], /^The 'some' condition is not recognized for type search/],
    ['any', 5, /'int' object is not iterable/],
    ['any', null, /'NoneType' object is not iterable/],
  ])('with the condition %s is false for %j, with a problem', (condition, value, reason) => {
    const problems: CriterionProblem[] = [];
    expect(search(condition)(value, { now: 0, problem: (told) => problems.push(told) })).toBe(false);
    expect(problems[0]?.reason).toMatch(reason);
  });

  it('rejects an unknown nested operator at compile time', () => {
    expect(() => search('any', { item: { type: 'nope', pattern: 1 } })).toThrow(/"nope"/);
  });

  it('renders nested patterns with the current element', () => {
    const criteria = compileCriteria({
      'trigger.list': {
        type: 'search',
        condition: 'any',
        pattern: { 'item.a': { type: 'eq', pattern: '{{ item.b }}' } },
      },
    });
    const render = (pattern: string, { item }: Readonly<Record<string, unknown>>) =>
      pattern === '{{ item.b }}' ? (item as { b: unknown }).b : pattern;
    const holds = [
      [{ a: 1, b: 2 }],
      [
        { a: 1, b: 2 },
        { a: 3, b: 3 },
      ],
    ].map((list) => criteria({ list }, { now: 0, render }));
    expect(holds).toEqual([false, true]);
  });
});
