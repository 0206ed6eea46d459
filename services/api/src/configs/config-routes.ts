import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { getConfigRoute, listConfigsRoute } from './read';
import { getConfigSchemaRoute, listConfigSchemasRoute } from './schemas';
import { putConfigRoute } from './write';

/** Configurations of packs, and their schemas. */
export const configRoutes = (deps: ApiDependencies): Route[] => [
  listConfigsRoute(deps),
  getConfigRoute(deps),
  putConfigRoute(deps),
  listConfigSchemasRoute(deps),
  getConfigSchemaRoute(deps),
];
