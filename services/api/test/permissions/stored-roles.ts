import { newId } from '@switchyard/base';
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
  const permission_grants = grants.map((grant) => {
    const [permission = '', uid] = grant.split(/@(.*)/s);
    return { id: newId(), permission_types: [permission], ...(uid === undefined ? {} : { resource_uid: uid }) };
  });
  await roles.insert({ _id, name: user, description: '', system, permission_grants });
  await roleAssignments.insertMany([{ _id, user, role: user, source: 'test', is_remote: false }]);
}
