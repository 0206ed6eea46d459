import { jsonSize, messageOf, MIB, slices } from '@switchyard/base';
import { unreadableView } from '@switchyard/model';
import { listResponse, type PageRange, type RouteResponse } from '@switchyard/http';
import type { Filter, RecordPage, RecordPath, Sort } from '@switchyard/storage';
import type { PageBudget } from './page-budget';

type View = Readonly<Record<string, unknown>>;

/** The methods of a repository that lists need. */
export interface Listable<T> {
  each(page: RecordPage<T>): AsyncIterable<T>;
  count(filter: Filter<T>): Promise<number>;
}

export interface ListRequest<T> {
  readonly filter: Filter<NoInfer<T>>;
  readonly sort: Sort<NoInfer<T>>;
  readonly page: PageRange;
  readonly budget: PageBudget;
  /** Stored fields that the view needs; all when absent. */
  readonly fields?: readonly RecordPath<NoInfer<T>>[] | undefined;
  /** Number of records whose views are built together, when views need further records. */
  readonly together?: number;
}

/** Reads one page, and no record beyond it. */
export const listRecords = <T extends { _id: string }>(
  records: Listable<T>,
  request: ListRequest<T>,
  view: (record: T) => View | Promise<View>,
): Promise<RouteResponse> =>
  listPage(records, request, (found) => Promise.all(found.map(async (record) => view(record))));

/**
 * The same, for views that are built for several records at once. A small page is sent in one piece. A larger page is
 * sent while the rest of it is read, so at most a batch is in memory.
 */
export async function listPage<T extends { _id: string }>(
  records: Listable<T>,
  { filter, sort, page, budget, fields, together = MOST_RECORDS }: ListRequest<T>,
  views: (records: T[]) => Promise<readonly View[]>,
): Promise<RouteResponse> {
  const read = records.each({ filter, sort, ...page, ...(fields ? { fields } : {}) });
  const batches = viewed(inBatches(read, together), views, budget);
  const everything = page.limit === undefined && page.offset === 0;
  const [items, counted] = await Promise.all([firstOf(batches), everything ? undefined : records.count(filter)]);
  if ('whole' in items) return listResponse(items.whole, counted ?? items.whole.length, page);
  const { body: _, ...response } = listResponse([], counted ?? (await records.count(filter)), page);
  return { ...response, items: items.batches };
}

/** A batch of views ends with the record that exceeds this many bytes. */
const BATCH_BYTES = 2 * MIB;
const MOST_RECORDS = 500;

async function* inBatches<T>(records: AsyncIterable<T>, together: number): AsyncGenerator<T[], void, undefined> {
  let batch: T[] = [];
  let bytes = 0;
  const turn = slices();
  for await (const record of records) {
    // An embedded store returns records without yielding, and large ones take long.
    await turn.next();
    batch.push(record);
    bytes += jsonSize(record, BATCH_BYTES);
    if (bytes < BATCH_BYTES && batch.length < together) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function* viewed<T extends { _id: string }>(
  batches: AsyncIterable<T[]>,
  views: (records: T[]) => Promise<readonly View[]>,
  budget: PageBudget,
): AsyncGenerator<readonly View[], void, undefined> {
  for await (const batch of batches) yield (await readableViews(batch, views)).map((view) => budget.fit(view));
}

/** A record that cannot be shown appears with its id and does not affect the others. */
async function readableViews<T extends { _id: string }>(
  batch: T[],
  views: (records: T[]) => Promise<readonly View[]>,
): Promise<readonly View[]> {
  const unreadable = batch.map(unreadableView);
  if (unreadable.some((view) => view !== undefined)) {
    const others = await readableViews(
      batch.filter((_, index) => !unreadable[index]),
      views,
    );
    return inPlace(unreadable, others);
  }
  try {
    return await views(batch);
  } catch (error) {
    if (!isOfData(error)) throw error;
    if (batch.length === 1) return [{ id: batch[0]!._id, unreadable: messageOf(error) }];
    const alone: View[] = [];
    for (const record of batch) alone.push(...(await readableViews([record], views)));
    return alone;
  }
}

/** @param others the views of the records without one in `known`, in their order */
function inPlace(known: readonly (View | undefined)[], others: readonly View[]): readonly View[] {
  let next = 0;
  return known.map((view): View => view ?? others[next++] ?? {});
}

/** The errors that malformed data causes, in contrast to those of an unavailable store. */
const isOfData = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

type Items = { readonly whole: readonly View[] } | { readonly batches: AsyncIterable<readonly View[]> };

/** Small first batches cost nothing extra: most pages end with the first one. */
async function firstOf(batches: AsyncGenerator<readonly View[], void, undefined>): Promise<Items> {
  const whole: View[] = [];
  for (let bytes = 0; bytes < BATCH_BYTES;) {
    const next = await batches.next();
    if (next.done) return { whole };
    whole.push(...next.value);
    bytes += jsonSize(next.value, BATCH_BYTES);
  }
  return { batches: resumed(whole, batches) };
}

async function* resumed(
  first: readonly View[],
  rest: AsyncGenerator<readonly View[], void, undefined>,
): AsyncGenerator<readonly View[], void, undefined> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
