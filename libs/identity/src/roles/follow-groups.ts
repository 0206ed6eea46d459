import { newId } from '@switchyard/base';
import type { RoleAssignmentRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';

/**
 * Assigns a user the roles that the group mappings name for their groups, and revokes those of earlier groups. Without
 * groups, all of these are revoked. Roles from assignment files stay.
 * @returns whether anything changed
 */
export async function followGroups(
  { roleAssignments, groupMappings }: Pick<Store, 'roleAssignments' | 'groupMappings'>,
  user: string,
  groups: readonly string[],
): Promise<boolean> {
  const mappings =
    groups.length === 0 ? [] : await groupMappings.list({ filter: { group: isOneOf(groups), enabled: true } });
  const wanted = new Map<string, RoleAssignmentRecord>();
  for (const { group, roles, source } of mappings) {
    for (const role of roles) {
      const record = { _id: newId(), user, role, source, description: `Member of the group ${group}`, is_remote: true };
      wanted.set(keyOf(record), record);
    }
  }
  const stored = (await roleAssignments.ofUser(user)).filter(({ is_remote: remote }) => remote);
  const before = new Set(stored.map(keyOf));
  const given = [...wanted.values()].filter((record) => !before.has(keyOf(record)));
  const taken = stored.filter((record) => !wanted.has(keyOf(record))).map(({ _id }) => _id);
  if (given.length > 0) await roleAssignments.insertMany(given);
  if (taken.length > 0) await roleAssignments.removeMany(taken);
  return given.length + taken.length > 0;
}

const keyOf = ({ role, source }: RoleAssignmentRecord): string => JSON.stringify([role, source]);
