import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../../api-dependencies';
import { deleteKeyRoute } from './delete';
import { getKeyRoute } from './get';
import { listKeysRoute } from './list';
import { putKeyRoute } from './put';

/** Items of the datastore. Their permissions are those of the single item, so that each route asks for them itself. */
export const keyRoutes = (deps: ApiDependencies): Route[] => [
  listKeysRoute(deps),
  getKeyRoute(deps),
  putKeyRoute(deps),
  deleteKeyRoute(deps),
];
