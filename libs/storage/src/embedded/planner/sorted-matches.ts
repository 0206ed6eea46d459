import { MIB } from '@switchyard/base';
import { isDamaged } from '../../bson/read-document';
import type { CollectionStore, Stored } from '../engine/collection-store';
import type { ParsedFilter } from '../query/parse-filter';
import { compareRows, sortValues, type SortField } from '../query/sort';
import type { Document } from '../values/document';

type Matches = Generator<Stored | undefined, void, undefined>;

/** A document, represented by the values that the sort compares. */
interface Row {
  readonly id: Buffer;
  readonly values: readonly unknown[];
  /** Absent if it has to be read again. */
  readonly document: Document | undefined;
}

/** A short list is read and sorted at once. */
const LONG_LIST = 500;
const LONG_LIST_BYTES = MIB;
/** Documents up to this total size are kept until the sort is done. Others are read again, because together they may
 * not fit into memory. */
const KEPT_BYTES = 8 * MIB;
/** Rows that are sorted at once, in a few milliseconds. */
const SORTED_AT_ONCE = 4096;

/** Sorts documents where no index has the order. The sort is stable. */
export function* sortedMatches(
  store: CollectionStore,
  found: Matches,
  { filter, sort }: { readonly filter: ParsedFilter; readonly sort: readonly SortField[] },
): Matches {
  const compare = (a: Row, b: Row) => compareRows(sort, a.values, b.values);
  const runs: Row[][] = [];
  let rows: Row[] = [];
  let isLong = false;
  const before = store.bytesDecoded;
  for (const stored of found) {
    if (stored) {
      const isKept = store.bytesDecoded - before <= KEPT_BYTES || isDamaged(stored.document);
      rows.push({
        id: stored.id,
        values: sortValues(stored.document, sort),
        document: isKept ? stored.document : undefined,
      });
    }
    isLong ||= rows.length > LONG_LIST || store.bytesDecoded - before > LONG_LIST_BYTES;
    if (rows.length === SORTED_AT_ONCE) {
      runs.push(rows.sort(compare));
      rows = [];
    }
    if (!stored || isLong) yield undefined;
  }
  runs.push(rows.sort(compare));
  for (const { id, document } of merged(runs, compare)) {
    if (document) yield { id, document };
    else yield readAgain(store, id, filter);
  }
}

/** The document may have changed since it was found. */
function readAgain(store: CollectionStore, id: Buffer, filter: ParsedFilter): Stored | undefined {
  const document = store.get(id, false);
  return document && filter.matches(document) ? { id, document } : undefined;
}

/** Merges sorted runs. Of equal rows, that of the earlier run comes first. */
function* merged(runs: readonly (readonly Row[])[], compare: (a: Row, b: Row) => number): Generator<Row> {
  const heads = runs.filter((run) => run.length > 0).map((run) => ({ run, at: 0 }));
  while (heads.length > 0) {
    const first = heads.reduce((best, other) => (compare(other.run[other.at]!, best.run[best.at]!) < 0 ? other : best));
    yield first.run[first.at]!;
    first.at += 1;
    if (first.at === first.run.length) heads.splice(heads.indexOf(first), 1);
  }
}
