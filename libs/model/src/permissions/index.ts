export { checkGrant, protectedTypeOf, type GivenGrant, type GrantProblem } from './check-grant';
export { isGlobalPermission, permissionTypes, resourceTypeOf } from './permission-types';
