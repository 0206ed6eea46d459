import { fault } from '@switchyard/base';
import { readScope } from '@switchyard/datastore';
import { route, type Route } from '@switchyard/http';
import type { ApiDependencies } from '../../api-dependencies';
import { authoriseItem, itemKey, itemOwner } from '../../keys/item-access';
import { itemBody, itemSchema, type ItemBody } from '../../keys/item-schema';

export const putKeyRoute = ({ datastore, identities: { access }, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/keys/{name}',
    operation: 'key_value_pairs.put',
    summary: 'Write an item of the datastore whole; the name in the path counts',
    body: itemBody,
    response: { status: 200, schema: itemSchema },
    async handle(request) {
      const { requester } = request;
      const { value, secret, encrypted, description, ttl, scope = 'system', user } = request.body as ItemBody;
      const key = itemKey(readScope(scope), itemOwner(requester, access, user), request);
      if (encrypted && !requester.isAdmin) throw fault('datastore.encrypted-needs-admin');
      await authoriseItem(requester, access, 'key_value_pair_set', key);
      const item = await datastore.put(key, { value, secret, encrypted, description, ttlSeconds: ttl });
      logger.audit('Datastore item written.', { item: item.uid, encrypted: item.encrypted, user: requester.user });
      return { status: 200, body: item };
    },
  });
