/** What a column would like: `natural` columns for its widest cell, and whether it may be wrapped to fewer. */
export interface ColumnWish {
  readonly natural: number;
  readonly fixed: boolean;
}

const NARROWEST = 7;
/** A cell has a blank on both sides and a border on its left; the table has one more border. */
const frame = (columns: number): number => columns * 3 + 1;

/**
 * Widths with which a table fits into `total` columns. Narrow columns keep what they need; the wide ones share what is
 * left. Fixed columns are never narrowed, so that a table of many of them may be wider than it should.
 */
export function columnWidths(wishes: readonly ColumnWish[], total: number): number[] {
  const widths = wishes.map(({ natural }) => natural);
  const sum = (): number => widths.reduce((all, width) => all + width, 0);
  const space = total - frame(wishes.length);
  while (sum() > space) {
    const flexible = widths.map((width, index) => (wishes[index]?.fixed ? 0 : width));
    const widest = Math.max(...flexible);
    if (widest <= NARROWEST) break;
    const second = Math.max(NARROWEST, ...flexible.filter((width) => width < widest));
    const same = flexible.filter((width) => width === widest).length;
    const step = Math.max(1, Math.min(widest - second, Math.ceil((sum() - space) / same)));
    flexible.forEach((width, index) => {
      if (width === widest && sum() > space) widths[index] = Math.max(NARROWEST, width - step);
    });
  }
  return widths;
}
