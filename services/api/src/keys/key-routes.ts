import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { deleteKeyRoute } from './delete';
import { getKeyRoute } from './get';
import { listKeysRoute } from './list';
import { putKeyRoute } from './put';

/** Items of the datastore. Permissions apply to single items, so each route checks them itself. */
export const keyRoutes = (deps: ApiDependencies): Route[] => [
  listKeysRoute(deps),
  getKeyRoute(deps),
  putKeyRoute(deps),
  deleteKeyRoute(deps),
];
