import type { ApiCall, QueryValue } from '../transport/call';
import type { ApiTransport } from '../transport/transport';

/** The attributes to return. Dotted paths select attributes inside objects. */
export interface Attributes {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export type Filters = Readonly<Record<string, QueryValue>>;

export interface ListQuery extends Attributes {
  /** Query parameters of the endpoint: `{ pack: 'core' }`. */
  readonly filters?: Filters | undefined;
  /** -1 requests all items, which servers allow only for administrators. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly secretNames?: ApiCall['secretNames'];
  /** The service that has the list. Default: api. */
  readonly service?: ApiCall['service'];
}

/** An item of a list. A damaged record has only its id and what is wrong with it. */
export type Listed<T> = T & { readonly unreadable?: string };

export interface ListPage<T> {
  readonly items: T[];
  /** The total number of items; undefined if the endpoint does not report it. */
  readonly total: number | undefined;
}

export const attributeQuery = ({ include, exclude }: Attributes): Filters => ({
  include_attributes: include?.length ? include : undefined,
  exclude_attributes: exclude?.length ? exclude : undefined,
});

const listCall = (path: readonly string[], query: ListQuery): ApiCall => ({
  service: query.service ?? 'api',
  method: 'GET',
  path,
  secretNames: query.secretNames,
  query: { ...query.filters, ...attributeQuery(query), limit: query.limit, offset: query.offset },
});

export async function requestPage<T>(
  transport: ApiTransport,
  path: readonly string[],
  query: ListQuery,
): Promise<ListPage<T>> {
  const { body, headers } = await transport.json<T[]>(listCall(path, query));
  const total = headers.get('x-total-count');
  return { items: body, total: total === null ? undefined : Number(total) };
}

/** Reads all items, page by page, until it has as many as the server counts. */
export async function readAll<T>(transport: ApiTransport, path: readonly string[], query: ListQuery): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await requestPage<T>(transport, path, { ...query, offset: items.length });
    items.push(...page.items);
    if (page.items.length === 0 || page.total === undefined || items.length >= page.total) return items;
  }
}

/** Records that the API lists, and returns singly by reference, name or id. */
export interface ReadableRecords<T> {
  list(query?: ListQuery): Promise<T[]>;
  /** @throws ApiError with status 404 if it does not exist */
  get(refOrId: string): Promise<T>;
}

/** Records that can also be created, replaced and deleted. */
export interface Records<T> extends ReadableRecords<T> {
  create(record: Record<string, unknown>): Promise<T>;
  /** Replaces the whole record. */
  update(refOrId: string, record: Record<string, unknown>): Promise<T>;
  delete(refOrId: string): Promise<void>;
}

/** Sends a request and returns the body of the response. */
export const answerOf = async <T>(
  transport: ApiTransport,
  method: 'GET' | 'POST' | 'PUT',
  path: readonly string[],
  body?: unknown,
): Promise<T> =>
  (await transport.json<T>({ service: 'api', method, path: [...path], ...(body === undefined ? {} : { body }) })).body;

export const readableRecords = <T>(transport: ApiTransport, path: readonly string[]): ReadableRecords<T> => ({
  list: (query = {}) => readAll<T>(transport, path, query),
  get: (refOrId) => answerOf<T>(transport, 'GET', [...path, refOrId]),
});

export const records = <T>(transport: ApiTransport, path: readonly string[]): Records<T> => ({
  ...readableRecords<T>(transport, path),
  create: (record) => answerOf<T>(transport, 'POST', path, record),
  update: (refOrId, record) => answerOf<T>(transport, 'PUT', [...path, refOrId], record),
  async delete(refOrId) {
    await transport.text({ service: 'api', method: 'DELETE', path: [...path, refOrId] });
  },
});
