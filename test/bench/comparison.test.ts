import { compared, type Pair } from './comparison';
import { median, rounded } from './measurement';

const side = (figures: Record<string, number>) => [{ what: 'noop', figures }];
const pairsOf = (...rates: [here: number, other: number][]): Pair[] =>
  rates.map(([here, other]) => ({ here: side({ rate: here }), other: side({ rate: other }) }));

describe('the comparison of two systems', () => {
  it('gives the median of the ratios of the pairs, their range, and the medians of both sides', () => {
    // The pair with the median ratio is not the pair with the median figures.
    expect(compared(pairsOf([300, 100], [400, 200], [900, 180]))).toEqual([
      { what: 'noop', figure: 'rate', here: 400, other: 180, ratio: 3, lowest: 2, highest: 5 },
    ]);
  });

  it('takes figures that both systems have in each pair', () => {
    const pairs: Pair[] = [
      { here: side({ rate: 2, cpu: 1, 'peak MB': 9 }), other: side({ rate: 1, cpu: 1 }) },
      { here: side({ rate: 2, cpu: 1 }), other: side({ rate: 1 }) },
    ];
    expect(compared(pairs).map(({ figure }) => figure)).toEqual(['rate']);
    expect(compared([{ here: side({ rate: 2 }), other: [] }])).toEqual([]);
  });

  it('takes two figures of zero as equal', () => {
    expect(compared(pairsOf([0, 0]))[0]?.ratio).toBe(1);
  });
});

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
  [[], Number.NaN],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

it.each([
  [1234.5, '1235'],
  [0.456, '0.46'],
  [45.67, '45.7'],
  [Number.POSITIVE_INFINITY, '-'],
])('%d is shown as %s', (value, text) => {
  expect(rounded(value)).toBe(text);
});
