import { listResponse, type PageRange, type RouteResponse } from '@switchyard/http';
import type { Filter, Page, Sort } from '@switchyard/storage';

/** The part of a repository that lists need. */
export interface Listable<T> {
  list(page: Page): Promise<T[]>;
  count(filter: Filter): Promise<number>;
}

export interface ListRequest {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly page: PageRange;
  /** Stored fields that the view needs; all when absent. */
  readonly fields?: readonly string[] | undefined;
}

/** Reads one page, and no record outside of it. */
export const listRecords = <T>(
  records: Listable<T>,
  request: ListRequest,
  view: (record: T) => unknown,
): Promise<RouteResponse> => listPage(records, request, (found) => Promise.all(found.map(view)));

/** The same, for views that are made of all records of the page at once. */
export async function listPage<T>(
  records: Listable<T>,
  { filter, sort, page, fields }: ListRequest,
  views: (records: T[]) => Promise<unknown[]>,
): Promise<RouteResponse> {
  const found = records.list({ filter, sort, ...page, ...(fields ? { fields } : {}) });
  const everything = page.limit === undefined && page.offset === 0;
  const [items, counted] = await Promise.all([found, everything ? undefined : records.count(filter)]);
  return listResponse(await views(items), counted ?? items.length, page);
}
