import {
  attributeParameters,
  flagCondition,
  idCondition,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  textCondition,
  type AttributeRules,
  type Direction,
  type QueryParameter,
  type QueryParameters,
  type Requester,
  type Route,
} from '@switchyard/http';
import type { Filter } from '@switchyard/storage';
import { Type, type TSchema } from '@sinclair/typebox';
import type { ApiDependencies } from './api-dependencies';
import { listPage, type Listable } from './lists/list-records';
import { pageBudget } from './lists/page-budget';
import { storedFields } from './stored-fields';

type View = Record<string, unknown>;

/** A query parameter by which records are chosen. */
export interface ListFilter {
  readonly parameter: QueryParameter;
  condition(value: unknown): Filter;
}

/** What a request for a list has asked for, besides records and attributes. */
export interface ListAsked {
  readonly query: Readonly<Record<string, unknown>>;
  readonly requester: Pick<Requester, 'isAdmin'>;
}

/** A list of records, as the API answers it. Records are chosen by `id` and by the filters. */
export interface RecordList<T extends { _id: string }> extends Pick<Route, 'path' | 'operation' | 'summary'> {
  readonly permission: string;
  readonly records: Listable<T>;
  /** By name of the query parameter. */
  readonly filters: Readonly<Record<string, ListFilter>>;
  /** What the list is a part of its records by. */
  readonly among?: Filter;
  /** Key → stored field. */
  readonly sortable: Readonly<Record<string, string>>;
  readonly order: Readonly<Record<string, Direction>>;
  /** Size of a page when none is asked for; everything when absent. */
  readonly defaultLimit?: number;
  /** What may be asked for in parts; nothing when absent. */
  readonly attributes?: AttributeRules;
  /** Whether records are read in part: attributes are stored under their own names, and views need these besides. */
  readonly needed?: readonly string[];
  /** Further query parameters, for the views. */
  readonly query?: QueryParameters;
  /** Of one item. */
  readonly schema: TSchema;
  readonly views: (records: readonly T[], asked: ListAsked) => readonly View[] | Promise<readonly View[]>;
}

/** One value, or several separated by commas. @param stored what clients write in another form than the store */
export const byText = (
  field: string,
  description?: string,
  stored: (given: string) => string = (given) => given,
): ListFilter => ({
  parameter: { type: 'string', ...(description === undefined ? {} : { description }) },
  condition: (given) => ({ [field]: textCondition(stored(given as string)) }),
});

/** A truth value, as filters of all lists have it. */
export const byFlag = (field: string): ListFilter => ({
  parameter: { type: 'string', description: '1, true, 0 or false' },
  condition: (given) => ({ [field]: flagCondition(given as string) }),
});

export function listRoute<T extends { _id: string }>(
  { config }: Pick<ApiDependencies, 'config'>,
  list: RecordList<T>,
): Route {
  const { path, operation, summary, permission, records, attributes, schema, defaultLimit } = list;
  return route({
    ...{ method: 'GET', path, operation, summary, permission },
    query: parametersOf(list),
    response: { status: 200, schema: Type.Array(schema) },
    handle(request) {
      const page = readPage(request, {
        maxPageSize: config.api.max_page_size,
        ...(defaultLimit === undefined ? {} : { defaultLimit }),
      });
      const query = request.query as Readonly<Record<string, unknown>>;
      const selection = attributes && readAttributes(query, attributes);
      const asked = {
        filter: filterOf(list, query),
        sort: readSort(query['sort'] as string | undefined, list.sortable, list.order),
        page,
        budget: pageBudget(config, request),
        fields: selection && list.needed && storedFields(selection, attributes.known ?? [], list.needed),
      };
      return listPage(records, asked, async (found) => {
        const views = await list.views(found, { query, requester: request.requester });
        return selection ? views.map((view) => selection.apply(view)) : [...views];
      });
    },
  });
}

const parametersOf = <T extends { _id: string }>({ filters, query, attributes }: RecordList<T>): QueryParameters => ({
  id: { type: 'list', description: 'Ids' },
  ...Object.fromEntries(Object.entries(filters).map(([name, { parameter }]) => [name, parameter])),
  ...query,
  ...sortParameter,
  ...pageParameters,
  ...(attributes ? attributeParameters : {}),
});

function filterOf<T extends { _id: string }>(
  { filters, among }: RecordList<T>,
  query: Readonly<Record<string, unknown>>,
): Filter {
  const conditions = Object.entries(filters).map(([name, { condition }]) => {
    const given = query[name];
    return given === undefined ? {} : condition(given);
  });
  const ids = query['id'] as readonly string[] | undefined;
  return Object.assign({ ...among, ...(ids ? { _id: idCondition(ids) } : {}) }, ...conditions) as Filter;
}
