import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { cloneActionRoute } from './clone';
import { createActionRoute } from './create';
import { deleteActionRoute } from './delete';
import { getActionRoute, listActionsRoute } from './get';
import { updateActionRoute } from './update';
import { entryPointRoute, overviewListRoute, overviewRoute, parametersRoute } from './views';

export const actionRoutes = (deps: ApiDependencies): Route[] => [
  listActionsRoute(deps),
  createActionRoute(deps),
  getActionRoute(deps),
  updateActionRoute(deps),
  deleteActionRoute(deps),
  cloneActionRoute(deps),
  parametersRoute(deps),
  overviewListRoute(deps),
  overviewRoute(deps),
  entryPointRoute(deps),
];
