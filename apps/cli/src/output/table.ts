import { textWidth, wrapText } from './wrap-text';

export interface Column {
  readonly title: string;
  /** Never wrapped: ids, which users copy. */
  readonly fixed?: boolean;
  /** Wrapped to this width, regardless of the terminal. */
  readonly width?: number | undefined;
  /** Adds colour to a padded line of a cell with this text. */
  readonly paint?: ((padded: string, text: string) => string) | undefined;
}

/** An ASCII grid. `total` is the width of the terminal, or Infinity without one. */
export function tableText(columns: readonly Column[], rows: readonly (readonly string[])[], total: number): string {
  const preferred = columns.map((column, index) =>
    preferredWidth(column, [column.title, ...rows.map((row) => row[index] ?? '')]),
  );
  const widths = columnWidths(preferred, total);
  const border = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`;
  const head = rowLines(
    columns.map(({ title }) => title),
    widths,
    [],
  );
  const body = rows.flatMap((row) => rowLines(row, widths, columns));
  return `${[border, ...head, border, ...body, border].join('\n')}\n`;
}

/** Longer words (addresses, hashes) are cut before other columns get too narrow to read. */
const LONG_WORD = 12;

function preferredWidth({ width, fixed = false }: Column, cells: readonly string[]): PreferredWidth {
  if (width !== undefined) return { natural: width, comfortable: width, fixed: true };
  const widest = (separator: RegExp): number =>
    Math.max(1, ...cells.flatMap((cell) => cell.replaceAll('\t', '    ').split(separator).map(textWidth)));
  return { natural: widest(/\n/), comfortable: Math.min(widest(/\s/), LONG_WORD), fixed };
}

function rowLines(cells: readonly string[], widths: readonly number[], columns: readonly Column[]): string[] {
  const wrapped = widths.map((width, index) => wrapText(cells[index] ?? '', width));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = widths.map((width, index) => {
      const text = wrapped[index]?.[line] ?? '';
      const padded = text + ' '.repeat(Math.max(0, width - textWidth(text)));
      return columns[index]?.paint?.(padded, cells[index] ?? '') ?? padded;
    });
    return `| ${parts.join(' | ')} |`;
  });
}

/** The preferred width of a column and how far it may shrink. */
export interface PreferredWidth {
  /** Width of the widest cell. */
  readonly natural: number;
  /** Width of the longest word. No word is cut at this width. */
  readonly comfortable: number;
  /** Never shrinks. */
  readonly fixed: boolean;
}

const NARROWEST = 7;
/** Each cell has a space on both sides and a border on its left. The last border closes the table. */
const frame = (columns: number): number => columns * 3 + 1;

/**
 * Column widths that fit a table into `total` characters. Narrow columns keep their width, wide ones share the rest. Words
 * are cut only as a last resort. Fixed columns can make a table wider than `total`.
 */
export function columnWidths(preferred: readonly PreferredWidth[], total: number): number[] {
  const space = total - frame(preferred.length);
  const natural = preferred.map(({ natural: width }) => width);
  const floor = (column: PreferredWidth, least: number): number =>
    column.fixed ? column.natural : Math.min(column.natural, least);
  const comfortable = preferred.map((column) => floor(column, Math.max(column.comfortable, NARROWEST)));
  const narrowest = preferred.map((column) => floor(column, NARROWEST));
  return narrowed(narrowed(natural, comfortable, space), narrowest, space);
}

/** Shrinks the widest column that is above its floor, until the table fits or all columns are at their floors. */
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
