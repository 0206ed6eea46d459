import { columnWidths } from './column-widths';
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
  const wishes = columns.map((column, index) => ({
    natural:
      column.width ?? Math.max(1, ...[[column.title], ...rows.map((row) => [row[index] ?? ''])].flat().map(widestLine)),
    fixed: column.fixed === true || column.width !== undefined,
  }));
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

const widestLine = (text: string): number => Math.max(0, ...text.replaceAll('\t', '    ').split('\n').map(textWidth));

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
