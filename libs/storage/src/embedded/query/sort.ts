import { badValue, unsupported } from '../errors';
import { isDocument, type Document } from '../values/document';
import { compareValues } from '../values/compare';
import { indexedValues } from '../values/indexed-values';

export interface SortField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly descending: boolean;
}

type Direction = 1 | -1 | 'asc' | 'desc' | 'ascending' | 'descending';

const directions = new Map<unknown, boolean>([
  [1, false],
  ['1', false],
  ['asc', false],
  ['ascending', false],
  [-1, true],
  ['-1', true],
  ['desc', true],
  ['descending', true],
]);

/** Parses all forms of a sort that drivers accept: a document, a Map, pairs, a name. */
export function parseSort(sort: unknown): readonly SortField[] {
  return pairs(sort).map(([path, direction]) => {
    if (isDocument(direction)) throw unsupported(`the sort ${JSON.stringify(direction)}`);
    const descending = directions.get(direction);
    if (descending === undefined) throw badValue(`Invalid sort direction: ${JSON.stringify(direction)}`);
    return { path, parts: path.split('.'), descending };
  });
}

function pairs(sort: unknown): readonly (readonly [string, Direction])[] {
  if (sort === undefined || sort === null) return [];
  if (typeof sort === 'string') return [[sort, 1]];
  if (sort instanceof Map) return [...(sort as Map<string, Direction>)];
  if (!Array.isArray(sort)) return Object.entries(sort as Record<string, Direction>);
  if (sort.every((item) => Array.isArray(item))) return sort as [string, Direction][];
  if (sort.length === 2 && directions.has(sort[1])) return [sort as [string, Direction]];
  return (sort as string[]).map((path) => [path, 1]);
}

/** Sorts items by their documents; the sort is stable. */
export function sortBy<T>(items: readonly T[], documentOf: (item: T) => Document, fields: readonly SortField[]): T[] {
  const rows = items.map((item) => ({ item, values: sortValues(documentOf(item), fields) }));
  return rows.sort((a, b) => compareRows(fields, a.values, b.values)).map(({ item }) => item);
}

/** Compares the values of two documents by a sort, from `sortValues`. */
export function compareRows(fields: readonly SortField[], a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < fields.length; i += 1) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return fields[i]?.descending ? -order : order;
  }
  return 0;
}

/** The values of a document that a sort compares. An array counts as its least element, or its greatest when descending. */
export const sortValues = (document: Document, fields: readonly SortField[]): unknown[] =>
  fields.map(({ parts, descending }) => sortValue(document, parts, descending));

function sortValue(document: Document, parts: readonly string[], descending: boolean): unknown {
  return indexedValues(document, parts).reduce((best, value) => {
    const order = compareValues(value, best);
    return (descending ? order > 0 : order < 0) ? value : best;
  });
}
