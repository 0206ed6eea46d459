import { fault, MIB } from '@switchyard/base';
import { readScope } from '@switchyard/datastore';
import { route, type Route } from '@switchyard/http';
import { keyValueAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { authoriseItem, itemKey, itemOwner } from './item-access';
import { itemBody } from './item-schema';

/** Large enough for the largest value in JSON notation, and for values slightly above the limit, which have their own
 * error. */
const LARGEST_BODY_BYTES = 8 * MIB;

export const putKeyRoute = ({ config, datastore, identities: { access }, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/keys/{name}',
    operation: 'key_value_pairs.put',
    summary: 'Set an item of the datastore; the name in the path takes precedence',
    permission: 'key_value_pair_set',
    checksPermission: true,
    body: itemBody,
    maxBodyBytes: Math.max(LARGEST_BODY_BYTES, config.limits.max_body_bytes),
    response: { status: 200, schema: keyValueAnswer },
    async handle(request) {
      const { requester } = request;
      const { value, secret, encrypted, description, ttl, scope = 'system', user } = request.body;
      const key = itemKey(readScope(scope), itemOwner(requester, access, user), request.params.name);
      if (encrypted && !requester.isAdmin) throw fault('datastore.encrypted-needs-admin');
      await authoriseItem(requester, access, 'key_value_pair_set', key);
      const item = await datastore.put(key, { value, secret, encrypted, description, ttlSeconds: ttl });
      logger.audit('Datastore item written.', { item: item.uid, encrypted: item.encrypted, user: requester.user });
      return { status: 200, body: item };
    },
  });
