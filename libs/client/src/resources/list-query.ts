import type { Call, QueryValue } from '../transport/call';
import type { Transport } from '../transport/transport';

/** Which part of an answer is wanted. Dotted paths select inside objects. */
export interface Attributes {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export type Filters = Readonly<Record<string, QueryValue>>;

export interface ListQuery extends Attributes {
  /** Names and values as the endpoint has them: `{ pack: 'core' }`. */
  readonly filters?: Filters | undefined;
  /** -1 asks for everything, which servers allow to administrators only. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly secretNames?: Call['secretNames'];
}

export interface Page<T> {
  readonly items: T[];
  /** How many there are in all; undefined when the endpoint does not say. */
  readonly total: number | undefined;
}

export const attributeQuery = ({ include, exclude }: Attributes): Filters => ({
  include_attributes: include?.length ? include : undefined,
  exclude_attributes: exclude?.length ? exclude : undefined,
});

const listCall = (path: readonly string[], query: ListQuery): Call => ({
  service: 'api',
  method: 'GET',
  path,
  secretNames: query.secretNames,
  query: { ...query.filters, ...attributeQuery(query), limit: query.limit, offset: query.offset },
});

export async function readPage<T>(transport: Transport, path: readonly string[], query: ListQuery): Promise<Page<T>> {
  const { body, headers } = await transport.json<T[]>(listCall(path, query));
  const total = headers.get('x-total-count');
  return { items: body, total: total === null ? undefined : Number(total) };
}

/** Every item: pages are asked for until there are as many as the server counts. */
export async function readAll<T>(transport: Transport, path: readonly string[], query: ListQuery): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await readPage<T>(transport, path, { ...query, offset: items.length });
    items.push(...page.items);
    if (page.items.length === 0 || page.total === undefined || items.length >= page.total) return items;
  }
}
