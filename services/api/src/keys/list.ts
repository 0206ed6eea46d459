import { fault } from '@switchyard/base';
import { readListScope, type ItemQuery } from '@switchyard/datastore';
import {
  ANY_USER,
  pageParameters,
  readPage,
  readSort,
  route,
  sortParameter,
  type QueryValues,
  type Route,
  type RouteRequest,
} from '@switchyard/http';
import { checkRestriction } from '@switchyard/identity';
import { keyValueAnswer, keyValueRecordSchema, sortKeys } from '@switchyard/model/resources';
import { idCondition } from '../lists/conditions';
import type { ApiDependencies } from '../api-dependencies';
import { itemOwner } from './item-access';
import { byId, grantedItems } from './list-items';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';

const DEFAULT_LIMIT = 100;
const MAX_IDS = 100;
const SORTABLE = sortKeys(keyValueRecordSchema);

const parameters = {
  id: { type: 'list', description: 'Ids, at most 100' },
  name: { type: 'string', description: 'The whole name' },
  prefix: { type: 'string', description: 'Prefix of the names' },
  scope: { type: 'string', default: 'system', description: 'system, user, or all for both' },
  user: { type: 'string', description: 'Owner of the items, in the user scope (administrators only)' },
  decrypt: { type: 'boolean', default: false, description: 'Return secret values in clear' },
  ...sortParameter,
  ...pageParameters,
} as const;

export const listKeysRoute = ({ config, datastore, identities: { access } }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/keys',
    operation: 'key_value_pairs.get_all',
    summary: 'Items of the datastore',
    // Everybody may list their own items, and those of the system that they may view.
    permission: ANY_USER,
    forRestricted: true,
    query: parameters,
    response: {
      status: 200,
      schema: listed(keyValueAnswer),
    },
    async handle(request) {
      const { requester } = request;
      checkRestriction(requester, 'key_value_pair_list');
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const query = itemQuery(request, itemOwner(requester, access, request.query.user));
      const seesAll = requester.isAdmin || (query.scope === 'user' && !requester.restriction);
      const items = seesAll ? datastore : grantedItems(datastore, access, requester);
      const budget = pageBudget(
        config,
        request,
        ({ name, scope }, path) => `${path}/${encodeURIComponent(String(name))}?scope=${String(scope)}`,
      );
      const records = {
        each: () => byId(items.each({ ...query, ...page })),
        count: () => items.count(query),
      };
      return listRecords(records, { filter: {}, sort: {}, page, budget }, ({ item }) => ({ ...item }));
    },
  });

type ListRequest = Pick<RouteRequest<QueryValues<typeof parameters>>, 'query' | 'requester'>;

function itemQuery({ query, requester }: ListRequest, owner: string): ItemQuery {
  const { id: ids, name, prefix, sort, user, decrypt } = query;
  const scope = user ? 'user' : readListScope(query.scope);
  if (ids) idCondition(ids, MAX_IDS);
  if (decrypt && scope !== 'user' && !requester.isAdmin) throw fault('datastore.decrypt-needs-admin');
  return {
    scope,
    user: owner,
    ids,
    name,
    prefix,
    sort: readSort(sort, SORTABLE, {}),
    decryptFor: decrypt ? requester.user : undefined,
    withDamaged: requester.isAdmin && scope !== 'user',
  };
}
