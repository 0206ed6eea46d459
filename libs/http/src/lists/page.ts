import { fault } from '@switchyard/base';
import type { RouteRequest, RouteResponse } from '../routing/route';

const LARGEST = 2 ** 31 - 1;

/** Query parameters of every list. */
export const pageParameters = {
  limit: { type: 'integer', description: 'Size of the page; -1 for all items (administrators only)' },
  offset: { type: 'integer', default: 0, description: 'Number of matches to skip' },
} as const;

export interface PageLimits {
  /** Size of a page if the request does not set one. If absent, all items. */
  readonly defaultLimit?: number;
  /** Largest page for users who are not administrators (`api.max_page_size`). */
  readonly maxPageSize: number;
}

/** A page as the store reads it. Without `limit` it has all items. */
export interface PageRange {
  readonly limit?: number;
  readonly offset: number;
}

interface Asked {
  readonly query: { readonly limit?: number | undefined; readonly offset?: number | undefined };
  readonly requester: Pick<RouteRequest['requester'], 'isAdmin'>;
}

/** @throws Fault whose code starts with `request.limit-` or `request.offset-` */
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

/** The digits of a number, without an exponent. */
const digits = (value: number): string => (Number.isFinite(value) ? BigInt(value).toString() : String(value));

/** The response of a list: the items of the page, and the total number of matches. */
export const listResponse = (items: readonly unknown[], total: number, { limit }: PageRange): RouteResponse => ({
  status: 200,
  body: items,
  headers: { 'X-Total-Count': String(total), ...(limit === undefined ? {} : { 'X-Limit': String(limit) }) },
});

export type Direction = 1 | -1;

/** The query parameter of lists that can be sorted. */
export const sortParameter = {
  sort: { type: 'string', description: 'Comma-separated keys; a key with the prefix - sorts in descending order' },
} as const;

/**
 * Parses `a,-b,+c`. Unknown keys are ignored, as clients expect.
 * @param sortable key that clients know → stored field
 * @param order the default, if no known key is given
 */
export function readSort<F extends string>(
  text: string | undefined,
  sortable: Readonly<Record<string, F>>,
  order: { readonly [Field in F]?: Direction },
): { [Field in F]?: Direction } {
  const chosen: { [Field in F]?: Direction } = {};
  for (const part of text?.split(',') ?? []) {
    // An unescaped plus sign arrives as a space.
    const [, sign, key = ''] = /^\s*([-+]?)(.*?)\s*$/.exec(part) ?? [];
    const field = Object.hasOwn(sortable, key) ? sortable[key] : undefined;
    if (field !== undefined) chosen[field] ??= sign === '-' ? -1 : 1;
  }
  return Object.keys(chosen).length > 0 ? chosen : { ...order };
}
