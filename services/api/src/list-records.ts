import { listResponse, type PageRange, type RouteResponse } from '@switchyard/http';
import type { Filter, Page, Sort } from '@switchyard/storage';

/** The part of a repository that lists need. */
interface Listable<T> {
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
export async function listRecords<T>(
  records: Listable<T>,
  { filter, sort, page, fields }: ListRequest,
  view: (record: T) => unknown,
): Promise<RouteResponse> {
  const found = records.list({ filter, sort, ...page, ...(fields ? { fields } : {}) });
  const everything = page.limit === undefined && page.offset === 0;
  const [items, counted] = await Promise.all([found, everything ? undefined : records.count(filter)]);
  return listResponse(await Promise.all(items.map(view)), counted ?? items.length, page);
}
