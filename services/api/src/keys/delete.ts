import { fault } from '@switchyard/base';
import { readScope, storedName } from '@switchyard/datastore';
import { route, type Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { authoriseItem, itemKey, itemOwner } from './item-access';

export const deleteKeyRoute = ({ datastore, identities: { access }, logger }: ApiDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/keys/{name}',
    operation: 'key_value_pairs.delete',
    summary: 'Delete an item of the datastore',
    permission: 'key_value_pair_delete',
    checksPermission: true,
    query: {
      scope: { type: 'string', description: 'system (default) or user' },
      user: { type: 'string', description: 'Owner of the item, with scope=user (administrators only)' },
    },
    response: { status: 204 },
    async handle(request) {
      const { requester, params, query } = request;
      const { scope = 'system', user } = query;
      const key = itemKey(readScope(scope), itemOwner(requester, access, user), request.params.name);
      // A read would use the user scope here. A caller who expects the same from DELETE must not lose an item of the
      // system.
      if (user && query.scope === undefined) throw fault('datastore.which-scope', { name: params.name });
      await authoriseItem(requester, access, 'key_value_pair_delete', key);
      const removed = await datastore.remove(key);
      if (!removed) throw fault('datastore.not-found', { name: storedName(key) });
      logger.audit('Datastore item deleted.', { item: removed.uid, user: requester.user });
      return { status: 204 };
    },
  });
