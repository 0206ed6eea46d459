export { checkGrant, protectedTypeOf, type GivenGrant, type GrantProblem } from './check-grant';
export { isGlobalPermission, permissionTypes, resourceTypeOf } from './permission-types';
export {
  permissionsIncluding,
  permissionsOf,
  SYSTEM_ROLES,
  type SystemRole,
  type UserPermissions,
  type VisibleResources,
} from './user-permissions';
