import { isDeepStrictEqual } from 'node:util';
import { fault, newId } from '@switchyard/base';
import {
  ADMINISTRATOR_ROLES,
  protectedTypeOf,
  resourceTypeOf,
  type ChangeCounts,
  type GroupMappingRecord,
  type PermissionGrant,
  type RoleAssignmentRecord,
  type RoleChanges,
  type RoleRecord,
} from '@switchyard/model';
import { isOneOf, type ResourceRepository, type Store } from '@switchyard/storage';
import { describeProblem, type RoleDefinitions } from './read-definitions';
import { ensureSystemRoles } from './system-roles';

export interface ApplyOptions {
  /** Rejects definitions that leave the system without an administrator. */
  readonly needsAdministrator: boolean;
}

/**
 * Brings roles, assignments and group mappings in line with the files: creates, updates and removes. Assignments that
 * follow the groups of a login stay. Nothing is written if anything is invalid. New records are written before old ones
 * are removed, so that nobody loses a role that they keep, and applying again completes an interrupted run.
 * @throws Fault `auth.role-definitions`, `auth.no-administrator`
 */
export async function applyRoleDefinitions(
  store: Pick<Store, 'roles' | 'roleAssignments' | 'groupMappings'>,
  definitions: RoleDefinitions,
  { needsAdministrator }: ApplyOptions,
): Promise<RoleChanges> {
  const { directory, problems } = definitions;
  if (problems.length > 0) throw fault('auth.role-definitions', { text: problems.map(describeProblem).join('\n') });
  const wanted = assignmentsIn(definitions);
  if (needsAdministrator && !wanted.some(isAdministrator)) {
    const remote = await store.roleAssignments.count({ is_remote: true, role: isOneOf(ADMINISTRATOR_ROLES) });
    if (remote === 0) throw noAdministrator(directory);
  }
  await ensureSystemRoles(store);
  const roles = changesOf(store.roles, await store.roles.list({ filter: { system: false } }), rolesIn(definitions), 'name'); // oxfmt-ignore
  const mappings = changesOf(store.groupMappings, await store.groupMappings.list(), mappingsIn(definitions), 'group'); // oxfmt-ignore
  await roles.write();
  await mappings.write();
  const assignments = await applyAssignments(store, wanted);
  await mappings.remove();
  await roles.remove();
  return { roles: roles.counts, role_assignments: assignments, group_mappings: mappings.counts };
}

/** @param directory where definition files are */
export const noAdministrator = (directory: string) =>
  fault('auth.no-administrator', {
    directory,
    example: 'assignments/ada.yaml with "username: ada" and "roles: [admin]"',
  });

const isAdministrator = ({ role }: Pick<RoleAssignmentRecord, 'role'>): boolean => ADMINISTRATOR_ROLES.includes(role);

/** Whether somebody is an administrator. */
export const hasAdministrator = async ({ roleAssignments }: Pick<Store, 'roleAssignments'>): Promise<boolean> =>
  (await roleAssignments.count({ role: isOneOf(ADMINISTRATOR_ROLES) })) > 0;

type Draft<T> = Omit<T, '_id'>;

const described = (description: string | undefined) => (description === undefined ? {} : { description });

const rolesIn = ({ roles }: RoleDefinitions): Draft<RoleRecord>[] =>
  roles.map(({ content: { name, description = '', permission_grants: grants } }) => ({
    name,
    description,
    system: false,
    permission_grants: grants.map(({ resource_uid: uid, permission_types: types }) => {
      const type = uid === undefined ? resourceTypeOf(types[0] ?? '') : protectedTypeOf(uid);
      const on = { ...(uid === undefined ? {} : { resource_uid: uid }), ...(type ? { resource_type: type } : {}) };
      return { id: newId(), ...on, permission_types: [...types] };
    }),
  }));

const mappingsIn = ({ mappings }: RoleDefinitions): Draft<GroupMappingRecord>[] =>
  mappings.map(({ path, content: { group, description, roles, enabled } }) => ({
    group,
    roles: [...roles],
    source: path,
    ...described(description),
    enabled,
  }));

const assignmentsIn = ({ assignments }: RoleDefinitions): Draft<RoleAssignmentRecord>[] =>
  assignments.flatMap(({ path, content: { username, description, roles } }) =>
    roles.map((role) => ({ user: username, role, source: path, ...described(description), is_remote: false })),
  );

/** Determines what has to change, without changing anything yet. */
function changesOf<T extends { _id: string }>(
  records: Pick<ResourceRepository<T>, 'upsert' | 'remove'>,
  stored: readonly T[],
  wanted: readonly Draft<T>[],
  key: keyof T & string,
) {
  const keyOf = (record: object) => (record as Readonly<Record<string, unknown>>)[key];
  const before = new Map(stored.map((record) => [keyOf(record), record]));
  const created = wanted.filter((record) => !before.has(keyOf(record)));
  const updated = wanted.filter((record) => {
    const old = before.get(keyOf(record));
    return old !== undefined && !isDeepStrictEqual(comparable(old), comparable(record));
  });
  const kept = new Set(wanted.map(keyOf));
  const removed = stored.filter((record) => !kept.has(keyOf(record)));
  return {
    counts: { created: created.length, updated: updated.length, removed: removed.length },
    async write() {
      for (const record of [...created, ...updated]) await records.upsert(record);
    },
    async remove() {
      for (const { _id } of removed) await records.remove(_id);
    },
  };
}

/** A record without ids, which differ although nothing has changed. */
function comparable(record: object): object {
  const { _id: _, permission_grants: grants, ...rest } = record as Partial<RoleRecord>;
  return grants ? { ...rest, permission_grants: grants.map(({ id: _of, ...grant }: PermissionGrant) => grant) } : rest;
}

async function applyAssignments(
  { roleAssignments }: Pick<Store, 'roleAssignments'>,
  wanted: readonly Draft<RoleAssignmentRecord>[],
): Promise<ChangeCounts> {
  const before = new Map(
    (await roleAssignments.list({ filter: { is_remote: false } })).map((old) => [keyOf(old), old]),
  );
  const created = wanted.filter((record) => !before.has(keyOf(record)));
  const kept = new Set(wanted.map(keyOf));
  const removed = [...before.values()].filter((record) => !kept.has(keyOf(record)));
  const updated = wanted.flatMap((record) => {
    const old = before.get(keyOf(record));
    return old && old.description !== record.description ? [{ ...record, _id: old._id }] : [];
  });
  if (created.length > 0) await roleAssignments.insertMany(created.map((record) => ({ ...record, _id: newId() })));
  for (const record of updated) await roleAssignments.replace(record);
  if (removed.length > 0) await roleAssignments.removeMany(removed.map(({ _id }) => _id));
  return { created: created.length, updated: updated.length, removed: removed.length };
}

const keyOf = ({ user, role, source }: Draft<RoleAssignmentRecord>): string => JSON.stringify([user, role, source]);
