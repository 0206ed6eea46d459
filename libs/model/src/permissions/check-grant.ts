import type { GivenGrant } from '../resources/role';
import { isGlobalPermission, permissionTypes, resourceTypeOf } from './permission-types';

/** Why a grant is invalid, and the field with the error. */
export interface GrantProblem {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The type of a resource by its uid: `pack` for `pack:core`. Undefined if that type has no permissions. */
export function protectedTypeOf(uid: string): string | undefined {
  const colon = uid.indexOf(':');
  const type = uid.slice(0, Math.max(colon, 0));
  return Object.hasOwn(permissionTypes, type) ? type : undefined;
}

/** Whether each permission type of a grant fits its resource; without a resource, whether it is a global one. */
export function checkGrant({ resource_uid: uid, permission_types: given }: GivenGrant): GrantProblem[] {
  if (uid === undefined) return given.flatMap(globalProblem);
  const type = protectedTypeOf(uid);
  if (type === undefined) {
    const known = Object.keys(permissionTypes).join(', ');
    return [{ path: ['resource_uid'], text: `"${uid}" must begin with a resource type and a colon, one of: ${known}` }];
  }
  return given.flatMap((permission, index) =>
    Object.hasOwn(permissionTypes[type] ?? {}, permission)
      ? []
      : [problemOf(index, `Invalid permission type "${permission}" for resource type "${type}"`)],
  );
}

function globalProblem(permission: string, index: number): GrantProblem[] {
  if (isGlobalPermission(permission)) return [];
  if (resourceTypeOf(permission) === undefined) return [problemOf(index, `Unknown permission type "${permission}"`)];
  return [problemOf(index, `Permission type "${permission}" needs a "resource_uid": it is not a global one`)];
}

const problemOf = (index: number, text: string): GrantProblem => ({ path: ['permission_types', index], text });
