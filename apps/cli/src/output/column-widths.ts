/** What a column would like, and how far it may be narrowed. */
export interface ColumnWish {
  /** Columns for its widest cell. */
  readonly natural: number;
  /** Columns for its longest word: as long as it has these, no word is cut. */
  readonly comfortable: number;
  /** Never narrowed. */
  readonly fixed: boolean;
}

const NARROWEST = 7;
/** A cell has a blank on both sides and a border on its left; the table has one more border. */
const frame = (columns: number): number => columns * 3 + 1;

/**
 * Widths with which a table fits into `total` columns. Narrow columns keep what they need, the wide ones share what is
 * left; words are cut only when nothing else helps. Fixed columns may make a table wider than it should be.
 */
export function columnWidths(wishes: readonly ColumnWish[], total: number): number[] {
  const space = total - frame(wishes.length);
  const natural = wishes.map(({ natural: width }) => width);
  const floor = (wish: ColumnWish, least: number): number =>
    wish.fixed ? wish.natural : Math.min(wish.natural, least);
  const comfortable = wishes.map((wish) => floor(wish, Math.max(wish.comfortable, NARROWEST)));
  const narrowest = wishes.map((wish) => floor(wish, NARROWEST));
  return narrowed(narrowed(natural, comfortable, space), narrowest, space);
}

/** Takes columns from the widest that may give one, until all fit or none may. */
function narrowed(start: readonly number[], floors: readonly number[], space: number): number[] {
  const widths = [...start];
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - space; excess > 0 && excess < Infinity; excess--) {
    let widest = -1;
    widths.forEach((width, index) => {
      if (width > (floors[index] ?? 0) && width > (widths[widest] ?? 0)) widest = index;
    });
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
