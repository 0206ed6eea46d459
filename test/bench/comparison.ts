import { median, rounded, type Measurement } from './measurement';

/** What a scenario measured on two systems, one right after the other. */
export interface Pair {
  readonly here: readonly Measurement[];
  readonly other: readonly Measurement[];
}

/** One figure in all pairs: the median on each side, and the ratio of this system to the other one. */
export interface Comparison {
  readonly what: string;
  readonly figure: string;
  readonly here: number;
  readonly other: number;
  /** The median of the ratios of the pairs, which differs from the ratio of the medians. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Compares the figures that both systems have in every pair. */
export function compared(pairs: readonly Pair[]): Comparison[] {
  const [first] = pairs;
  return (first?.here ?? []).flatMap(({ what, figures }) =>
    Object.keys(figures).flatMap((figure) => {
      const values = pairs.map(({ here, other }) => [valueOf(here, what, figure), valueOf(other, what, figure)]);
      return values.every(isComplete) ? [comparison(what, figure, values)] : [];
    }),
  );
}

const valueOf = (side: readonly Measurement[], what: string, figure: string): number | undefined =>
  side.find((measurement) => measurement.what === what)?.figures[figure];

const isComplete = (values: (number | undefined)[]): values is [number, number] =>
  values.every((value) => value !== undefined);

function comparison(what: string, figure: string, values: readonly [number, number][]): Comparison {
  const ratios = values.map(([here, other]) => ratioOf(here, other));
  return {
    what,
    figure,
    here: median(values.map(([here]) => here)),
    other: median(values.map(([, other]) => other)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

/** Two figures of zero are equal. */
const ratioOf = (here: number, other: number): number => (here === other ? 1 : here / other);

/** @param label the name of the other system */
export function printComparisons(comparisons: readonly Comparison[], label: string): void {
  console.table(
    comparisons.map(({ what, figure, here, other, ratio, lowest, highest }) => ({
      measured: what,
      figure,
      'this system': rounded(here),
      [label]: rounded(other),
      ratio: rounded(ratio),
      range: `${rounded(lowest)} to ${rounded(highest)}`,
    })),
  );
}
