import { serverError, ServerErrorCode } from '../errors';
import type { Document } from '../values/document';
import { hasArrayOn, indexedValues } from '../values/indexed-values';
import { KeyWriter, MAX_KEY_BYTES } from '../values/key-writer';
import { visitPath } from '../values/paths';
import type { Index, IndexField } from './index-definition';

const writer = new KeyWriter();

export interface IndexEntries {
  /** Keyed by the bytes as a Latin-1 string, because a Map cannot look up bytes. */
  readonly keys: ReadonlyMap<string, Buffer>;
  readonly multikeyPaths: readonly string[];
  readonly exact: boolean;
}

const NONE: IndexEntries = { keys: new Map(), multikeyPaths: [], exact: true };
const CANNOT_INDEX_PARALLEL_ARRAYS = 171;

/**
 * The keys of a document in an index. The key in a unique index is the indexed values; in any other index it is the values and
 * the document's own key, so that equal values are adjacent in order of `_id`.
 * @param id the document's encoded `_id`
 */
export function indexEntries(index: Index, document: Document, id: Uint8Array): IndexEntries {
  if (index.partial && !index.partial.matches(document)) return NONE;
  const { fields, record } = index;
  if (record.sparse && !fields.some((field) => isPresent(document, field))) return NONE;
  const multikeyPaths = fields.filter(({ parts }) => hasArrayOn(document, parts)).map(({ path }) => path);
  refuseParallelArrays(multikeyPaths, document, fields);
  const keys = new Map<string, Buffer>();
  let exact = true;
  for (const values of combinations(fields.map(({ parts }) => indexedValues(document, parts)))) {
    writer.begin(record.space);
    values.forEach((value, i) => writer.value(value, fields[i]?.descending));
    if (!record.unique) writer.raw(id);
    exact &&= writer.exact;
    const key = writer.take();
    if (key.length > MAX_KEY_BYTES) {
      throw serverError(
        ServerErrorCode.keyTooLong,
        `The key of index ${record.name} is longer than ${MAX_KEY_BYTES} bytes`,
      );
    }
    keys.set(key.toString('latin1'), key);
  }
  return { keys, multikeyPaths, exact };
}

/** The indexed values of a document, for error messages. */
export const keyValueOf = (index: Index, document: Document): Document =>
  Object.fromEntries(index.fields.map(({ path, parts }) => [path, indexedValues(document, parts)[0] ?? null]));

const isPresent = (document: Document, { parts }: IndexField): boolean =>
  visitPath(document, parts, (leaf) => leaf !== undefined);

function refuseParallelArrays(paths: readonly string[], document: Document, fields: readonly IndexField[]): void {
  if (paths.length < 2) return;
  const roots = new Set(
    fields.filter(({ path }) => paths.includes(path)).map(({ parts }) => arrayRoot(document, parts)),
  );
  if (roots.size > 1) {
    throw serverError(CANNOT_INDEX_PARALLEL_ARRAYS, `cannot index parallel arrays [${[...roots].join('] [')}]`);
  }
}

function arrayRoot(document: Document, parts: readonly string[]): string {
  const length = parts.findIndex((_, i) => hasArrayOn(document, parts.slice(0, i + 1)));
  return parts.slice(0, length + 1).join('.');
}

function combinations(lists: readonly (readonly unknown[])[]): unknown[][] {
  return lists.reduce<unknown[][]>(
    (heads, values) =>
      values.length === 1 ? (heads.forEach((head) => head.push(values[0])), heads) : cross(heads, values),
    [[]],
  );
}

const cross = (heads: readonly unknown[][], values: readonly unknown[]): unknown[][] =>
  heads.flatMap((head) => values.map((value) => [...head, value]));
