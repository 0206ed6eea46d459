export { checkGrant, protectedTypeOf, type GrantProblem } from './check-grant';
export { isGlobalPermission, permissionDescriptions, permissionTypes, resourceTypeOf } from './permission-types';
export {
  ADMINISTRATOR_ROLES,
  commonResources,
  permissionsIncluding,
  permissionsOf,
  SYSTEM_ROLES,
  type SystemRole,
  type UserPermissions,
  type VisibleResources,
} from './user-permissions';
export { grantedResources, type GrantedResources } from './granted-resources';
