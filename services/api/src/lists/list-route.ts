import {
  attributeParameters,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  type AttributeRules,
  type QueryParameter,
  type QueryParameters,
  type Requester,
  type Route,
} from '@switchyard/http';
import { attributeNames } from '@switchyard/model/resources';
import { where, type Filter, type RecordPath, type Sort } from '@switchyard/storage';
import type { TObject } from '@sinclair/typebox';
import { flagCondition, idCondition, textCondition } from './conditions';
import type { ApiDependencies } from '../api-dependencies';
import { listPage, type Listable } from './list-records';
import { listed } from './listed-schema';
import { pageBudget } from './page-budget';
import { storedFields } from './stored-fields';
import { visibleRecords, type Visibility } from '../permissions/visible-records';

type View = Record<string, unknown>;

/** A query parameter that filters records. */
export interface ListFilter<T> {
  readonly parameter: QueryParameter;
  condition(value: unknown): Filter<T>;
}

/** What a list request selects, besides records and attributes. */
export interface ListAsked {
  readonly query: Readonly<Record<string, unknown>>;
  readonly requester: Pick<Requester, 'isAdmin'>;
}

/** A list of records as the API returns it. `id` and the filters select records. */
export interface RecordList<T extends { _id: string }> extends Pick<Route, 'path' | 'operation' | 'summary'> {
  readonly permission: string;
  /** Determines which of the records users may view. */
  readonly visible: Visibility<NoInfer<T>>;
  readonly records: Listable<T>;
  /** By name of the query parameter. */
  readonly filters: Readonly<Record<string, ListFilter<NoInfer<T>>>>;
  /** A fixed filter: the list contains only records that match it. */
  readonly among?: Filter<NoInfer<T>>;
  /** Key → stored field. */
  readonly sortable: Readonly<Record<string, RecordPath<NoInfer<T>>>>;
  readonly order: Sort<NoInfer<T>>;
  /** Default page size; unlimited when absent. */
  readonly defaultLimit?: number;
  /** If present, clients can select attributes of the schema, or any attributes if it allows additional properties. */
  readonly attributes?: Omit<AttributeRules, 'known'> & {
    /** Unknown names are ignored instead of refused. */
    readonly unknownIgnored?: true;
  };
  /** Reads records in part: attributes are stored under their own names, and views always need these fields besides. */
  readonly needed?: readonly RecordPath<NoInfer<T>>[];
  /** Further query parameters, for the views. */
  readonly query?: QueryParameters;
  /** The schema of one item. */
  readonly schema: TObject;
  readonly views: (records: readonly T[], asked: ListAsked) => readonly View[] | Promise<readonly View[]>;
}

/**
 * Parses one value, or several separated by commas. @param stored converts values that clients write in another form
 * than the store
 */
export const byText = <T>(
  field: RecordPath<T>,
  description?: string,
  stored: (given: string) => string = (given) => given,
): ListFilter<T> => ({
  parameter: { type: 'string', ...(description === undefined ? {} : { description }) },
  condition: (given) => where(field, textCondition(stored(given as string))),
});

/** Parses a truth value, as in the filters of all lists. */
export const byFlag = <T>(field: RecordPath<T>): ListFilter<T> => ({
  parameter: { type: 'string', description: '1, true, 0 or false' },
  condition: (given) => where(field, flagCondition(given as string)),
});

export function listRoute<T extends { _id: string }>(
  deps: Pick<ApiDependencies, 'config' | 'identities'>,
  list: RecordList<T>,
): Route {
  const { config } = deps;
  const { path, operation, summary, permission, records, attributes, schema, defaultLimit } = list;
  const known = attributeNames(schema);
  const isOpen = schema.additionalProperties === true || attributes?.unknownIgnored === true;
  return route({
    ...{ method: 'GET', path, operation, summary, permission },
    query: parametersOf(list),
    response: { status: 200, schema: listed(schema) },
    async handle(request) {
      const page = readPage(request, {
        maxPageSize: config.api.max_page_size,
        ...(defaultLimit === undefined ? {} : { defaultLimit }),
      });
      const query = request.query as Readonly<Record<string, unknown>>;
      const selection = attributes && readAttributes(query, { ...attributes, ...(isOpen ? {} : { known }) });
      const asked = {
        filter: await visibleRecords(deps, request.requester, list.visible, filterOf(list, query)),
        sort: readSort(query['sort'] as string | undefined, list.sortable, list.order),
        page,
        budget: pageBudget(config, request),
        fields: selection && list.needed && storedFields(selection, known, list.needed),
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
): Filter<T> {
  const conditions = Object.entries(filters).map(([name, { condition }]) => {
    const given = query[name];
    return given === undefined ? {} : condition(given);
  });
  const ids = query['id'] as readonly string[] | undefined;
  return Object.assign({ ...among, ...(ids ? { _id: idCondition(ids) } : {}) }, ...conditions) as Filter<T>;
}
