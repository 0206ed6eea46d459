import { createTurns, type SharePath, type ShareTurns } from '../../src/fairness/turns';

interface Queue {
  name: string;
  path: SharePath;
}

/** A queue by the names and weights on its path: `a*2 bulk one`. */
const queue = (way: string): Queue => ({
  name: way,
  path: way.split(' ').map((step) => {
    const [key = '', weight = '1'] = step.split('*');
    return { key, weight: Number(weight) };
  }),
});

const queues = (...ways: string[]): Queue[] => ways.map(queue);

const take = (turns: ShareTurns, waiting: readonly Queue[], count: number): string[] =>
  Array.from({ length: count }, () => turns.next(waiting).name);

const shares = (taken: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of taken) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

describe('turns', () => {
  it('alternate between queues of the same weight', () => {
    expect(take(createTurns(), queues('a', 'b', 'c'), 6)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it.each([
    ['a*3 b*1', { 'a*3': 75, 'b*1': 25 }],
    ['a*0.5 b*1', { 'a*0.5': 33, 'b*1': 67 }],
    ['a*4 b*1 c*5', { 'a*4': 40, 'b*1': 10, 'c*5': 50 }],
  ])('follow the weights: %s', (ways, expected) => {
    const counts = shares(take(createTurns(), queues(...ways.split(' ')), 100));
    for (const [name, count] of Object.entries(expected))
      expect(Math.abs(counts[name]! - count)).toBeLessThanOrEqual(1);
  });

  it('divide the share of a branch within the branch', () => {
    const waiting = queues('ada direct*4', 'ada bulk one', 'ada bulk two', 'bob direct*4');
    const counts = shares(take(createTurns(), waiting, 200));
    expect(counts).toEqual({ 'bob direct*4': 100, 'ada direct*4': 80, 'ada bulk one': 10, 'ada bulk two': 10 });
  });

  it('make a queue that begins to wait the next one', () => {
    const turns = createTurns();
    take(turns, queues('ada bulk one'), 50);
    expect(take(turns, queues('ada bulk one', 'ada direct*4'), 1)).toEqual(['ada direct*4']);
    expect(take(turns, queues('ada bulk one', 'ada direct*4', 'bob bulk two'), 1)).toEqual(['bob bulk two']);
  });

  it('give no credit for times in which a queue was empty', () => {
    const turns = createTurns();
    take(turns, queues('a', 'b'), 2);
    take(turns, queues('a'), 100);
    expect(shares(take(turns, queues('a', 'b'), 10))).toEqual({ a: 5, b: 5 });
  });

  it('charge nothing for times in which a queue was alone', () => {
    const turns = createTurns();
    take(turns, queues('a', 'b'), 2);
    take(turns, queues('a'), 100);
    expect(shares(take(turns, queues('a', 'b'), 3))['a']).toBeGreaterThan(0);
  });

  it('do not count a turn that was not used', () => {
    const turns = createTurns();
    const waiting = queues('a', 'b');
    take(turns, waiting, 2);
    const given = turns.next(waiting);
    turns.giveBack(given.path);
    expect(shares(take(turns, waiting, 10))).toEqual({ a: 5, b: 5 });
  });

  it('drop queues that were removed long ago, and continue', () => {
    const turns = createTurns();
    for (let i = 0; i < 3000; i++) take(turns, queues('a', `gone${i}`), 2);
    expect(shares(take(turns, queues('a', 'b'), 10))).toEqual({ a: 5, b: 5 });
  });
});
