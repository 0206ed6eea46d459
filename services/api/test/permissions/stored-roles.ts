import { newId } from '@switchyard/base';
import type { GivenGrant } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** `permission`, or `permission@uid` for one resource. */
export type Grant = string;

/** Stores a role of the same name for a user. */
export async function giveRole(
  { roles, roleAssignments }: Pick<Store, 'roles' | 'roleAssignments'>,
  user: string,
  grants: readonly Grant[],
  system = false,
): Promise<void> {
  const _id = newId();
  const permission_grants = grants.map((grant) => ({ id: newId(), ...grantOf(grant) }));
  await roles.insert({ _id, name: user, description: '', system, permission_grants });
  await roleAssignments.insertMany([{ _id, user, role: user, source: 'test', is_remote: false }]);
}

export function grantOf(grant: Grant): GivenGrant {
  const [permission = '', uid] = grant.split(/@(.*)/s);
  return { permission_types: [permission], ...(uid === undefined ? {} : { resource_uid: uid }) };
}
