import { fault } from '@switchyard/base';
import type { RouteRequest, RouteResponse } from '../routing/route';

const LARGEST = 2 ** 31 - 1;

/** Query parameters of every list. */
export const pageParameters = {
  limit: { type: 'integer', description: 'Size of the page; -1 for everything (administrators)' },
  offset: { type: 'integer', default: 0, description: 'How many matches to leave out at the beginning' },
} as const;

export interface PageLimits {
  /** Size of a page when none is asked for; everything when absent. */
  readonly defaultLimit?: number;
  /** The largest page of people who are no administrators: `api.max_page_size`. */
  readonly maxPageSize: number;
}

/** A page in the store's words. `limit` is absent for everything. */
export interface PageRange {
  readonly limit?: number;
  readonly offset: number;
}

interface Asked {
  readonly query: { readonly limit?: number | undefined; readonly offset?: number | undefined };
  readonly requester: Pick<RouteRequest['requester'], 'isAdmin'>;
}

/** @throws Fault of the `request.limit-` and `request.offset-` families */
export function readPage({ query, requester }: Asked, { defaultLimit, maxPageSize }: PageLimits): PageRange {
  const offset = readOffset(query.offset ?? 0);
  const limit = query.limit ?? defaultLimit;
  if (limit === undefined) return { offset };
  if (limit === 0) throw fault('request.limit-zero');
  if (limit < -1) throw fault('request.limit-negative', { limit });
  if (limit > LARGEST) throw fault('request.limit-too-large', { limit: digits(limit) });
  if (limit === -1 && !requester.isAdmin) throw fault('request.limit-needs-admin');
  if (limit > maxPageSize && !requester.isAdmin)
    throw fault('request.limit-above-maximum', { limit, maximum: maxPageSize });
  return limit === -1 ? { offset } : { limit, offset };
}

function readOffset(offset: number): number {
  if (offset < 0) throw fault('request.offset-negative', { offset });
  if (offset > LARGEST) throw fault('request.offset-too-large', { offset: digits(offset) });
  return offset;
}

/** Without an exponent. */
const digits = (value: number): string => (Number.isFinite(value) ? BigInt(value).toString() : String(value));

/** The answer of every list: the items of the page, and how many matches there are in all. */
export const listResponse = (items: readonly unknown[], total: number, { limit }: PageRange): RouteResponse => ({
  status: 200,
  body: items,
  headers: { 'X-Total-Count': String(total), ...(limit === undefined ? {} : { 'X-Limit': String(limit) }) },
});
