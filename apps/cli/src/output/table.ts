import { columnWidths, type ColumnWish } from './column-widths';
import { textWidth, wrapText } from './wrap-text';

export interface Column {
  readonly title: string;
  /** Never wrapped: ids, which are copied, and statuses. */
  readonly fixed?: boolean;
  /** Wrapped to this width, whatever the terminal's. */
  readonly width?: number | undefined;
  /** Adds colour to a finished line of a cell, which is `text` before padding. */
  readonly paint?: ((padded: string, text: string) => string) | undefined;
}

/** An ASCII grid. `total` is the number of columns of the terminal, Infinity when there is none. */
export function tableText(columns: readonly Column[], rows: readonly (readonly string[])[], total: number): string {
  const wishes = columns.map((column, index) =>
    columnWish(column, [column.title, ...rows.map((row) => row[index] ?? '')]),
  );
  const widths = columnWidths(wishes, total);
  const border = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`;
  const head = rowLines(
    columns.map(({ title }) => title),
    widths,
    [],
  );
  const body = rows.flatMap((row) => rowLines(row, widths, columns));
  return `${[border, ...head, border, ...body, border].join('\n')}\n`;
}

/** Longer words than this (addresses, hashes) are cut before other columns get too narrow to read. */
const LONG_WORD = 12;

function columnWish({ width, fixed = false }: Column, cells: readonly string[]): ColumnWish {
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
