import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { permissionTypeRoutes } from './permission-type-routes';
import { roleAssignmentRoutes } from './role-assignment-routes';
import { roleRoutes } from './role-routes';
import { roleSyncRoute } from './role-sync-route';

/** Roles, who has them, and what they may contain. They are defined in files, so these routes only show and reload them. */
export const rbacRoutes = (deps: ApiDependencies): Route[] => [
  ...roleRoutes(deps),
  ...roleAssignmentRoutes(deps),
  ...permissionTypeRoutes,
  roleSyncRoute(deps),
];
