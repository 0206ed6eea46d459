import { jsonSize, messageOf, MIB, slices } from '@switchyard/base';
import { unreadableView } from '@switchyard/model';
import { listResponse, type PageRange, type RouteResponse } from '@switchyard/http';
import type { Filter, Page, Sort } from '@switchyard/storage';
import type { PageBudget } from './page-budget';

type View = Readonly<Record<string, unknown>>;

/** The part of a repository that lists need. */
export interface Listable<T> {
  each(page: Page): AsyncIterable<T>;
  count(filter: Filter): Promise<number>;
}

export interface ListRequest {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly page: PageRange;
  readonly budget: PageBudget;
  /** Stored fields that the view needs; all when absent. */
  readonly fields?: readonly string[] | undefined;
  /** How many records have their views made together, when these need further records. */
  readonly together?: number;
}

/** Reads one page, and no record outside of it. */
export const listRecords = <T extends { _id: string }>(
  records: Listable<T>,
  request: ListRequest,
  view: (record: T) => View | Promise<View>,
): Promise<RouteResponse> =>
  listPage(records, request, (found) => Promise.all(found.map(async (record) => view(record))));

/**
 * The same, for views that are made of several records at once. A page that is small is answered in one piece, a larger one
 * goes out while the rest of it is read: no more of it than a batch is in memory.
 */
export async function listPage<T extends { _id: string }>(
  records: Listable<T>,
  { filter, sort, page, budget, fields, together = MOST_RECORDS }: ListRequest,
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

/** Records of this many bytes have their views made together, and one more. */
const BATCH_BYTES = 2 * MIB;
const MOST_RECORDS = 500;

async function* inBatches<T>(records: AsyncIterable<T>, together: number): AsyncGenerator<T[], void, undefined> {
  let batch: T[] = [];
  let bytes = 0;
  const turn = slices();
  for await (const record of records) {
    // A store in this process hands out one record after the other, and large ones take long.
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

/** A record that cannot be shown stands there with its id, and costs no other its place. */
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

/** @param others the views of the records that have none in `known`, in their order */
function inPlace(known: readonly (View | undefined)[], others: readonly View[]): readonly View[] {
  let next = 0;
  return known.map((view): View => view ?? others[next++] ?? {});
}

/** What a program throws over data that is not what it has to be. A store that does not answer is something else. */
const isOfData = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

type Items = { readonly whole: readonly View[] } | { readonly batches: AsyncIterable<readonly View[]> };

/** A few batches are as good as one while they are small: most pages end with the first. */
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
