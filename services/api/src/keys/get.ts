import { fault } from '@switchyard/base';
import { readScope, storedName } from '@switchyard/datastore';
import { route, type Route } from '@switchyard/http';
import { keyValueAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { authoriseItem, itemKey, itemOwner } from './item-access';
import { inPart } from '../lists/listed-schema';

export const getKeyRoute = ({ datastore, identities: { access } }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/keys/{name}',
    operation: 'key_value_pairs.get_one',
    summary: 'One item of the datastore',
    permission: 'key_value_pair_view',
    checksPermission: true,
    query: {
      scope: { type: 'string', default: 'system', description: 'system or user' },
      user: { type: 'string', description: 'Owner of the item, in the user scope (administrators only)' },
      decrypt: { type: 'boolean', default: false, description: 'Return a secret value in clear' },
    },
    response: { status: 200, schema: inPart(keyValueAnswer) },
    async handle(request) {
      const { query, requester } = request;
      const asked = query.scope === 'all' ? 'system' : readScope(query.scope);
      const key = itemKey(query.user ? 'user' : asked, itemOwner(requester, access, query.user), request.params.name);
      await authoriseItem(requester, access, 'key_value_pair_view', key);
      const item = await datastore.show(key, query.decrypt ? { decryptFor: requester.user } : {});
      if (!item) throw fault('datastore.not-found', { name: storedName(key) });
      return { status: 200, body: item };
    },
  });
