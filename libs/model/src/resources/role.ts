import { Type, type Static } from '@sinclair/typebox';
import { described, flag, sortable, text, texts, whole } from './fields';

const grantFields = {
  resource_uid: Type.Optional(described(text, 'The one resource that the grant is about; absent for a global grant')),
  resource_type: Type.Optional(text),
  permission_types: texts,
};

/** Permissions on one resource, or global ones, as clients send them. */
export const givenGrantSchema = Type.Object(
  { resource_uid: grantFields.resource_uid, permission_types: grantFields.permission_types },
  { title: 'GivenGrant', additionalProperties: false },
);
export type GivenGrant = Static<typeof givenGrantSchema>;

/** Permissions on one resource, or global ones. Part of a role. */
export const permissionGrantAnswer = Type.Object({ id: text, ...grantFields }, { title: 'PermissionGrant' });
export type PermissionGrant = Static<typeof permissionGrantAnswer>;

const roleFields = {
  _id: sortable(text),
  name: sortable(text),
  description: text,
  system: described(flag, 'Whether the role exists without a definition file'),
};

/** A named set of permissions. Its grants are part of it, so a role changes as a whole. */
export const roleRecordSchema = Type.Object({ ...roleFields, permission_grants: Type.Array(permissionGrantAnswer) });
export type RoleRecord = Static<typeof roleRecordSchema>;

const { _id, ...shown } = roleFields;
/** A role as the API shows it. */
export const roleAnswer = Type.Object(
  {
    id: _id,
    ...shown,
    permission_grants: described(texts, 'Ids of its grants'),
    permission_grant_ids: described(texts, 'Ids of its grants'),
    permission_grant_objects: Type.Array(permissionGrantAnswer),
  },
  { title: 'Role' },
);
export type Role = Static<typeof roleAnswer>;

/** A role that a user has. The same role from another source is another assignment. */
export const roleAssignmentRecordSchema = Type.Object({
  _id: sortable(text),
  user: sortable(text),
  role: sortable(described(text, 'Name of the role; it need not exist')),
  source: sortable(described(text, 'The file or the group that the assignment comes from')),
  description: Type.Optional(text),
  is_remote: described(flag, 'Whether the assignment follows the groups of a login'),
});
export type RoleAssignmentRecord = Static<typeof roleAssignmentRecordSchema>;

const { _id: assignmentId, ...shownOfAssignment } = roleAssignmentRecordSchema.properties;
/** A role assignment as the API shows it. */
export const roleAssignmentAnswer = Type.Object(
  { id: assignmentId, ...shownOfAssignment },
  { title: 'UserRoleAssignment' },
);
export type RoleAssignment = Static<typeof roleAssignmentAnswer>;

/** The roles of a group's members. */
export const groupMappingRecordSchema = Type.Object({
  _id: text,
  group: described(text, 'As the authentication backend names it; case matters'),
  roles: texts,
  source: text,
  description: Type.Optional(text),
  enabled: flag,
});
export type GroupMappingRecord = Static<typeof groupMappingRecordSchema>;

const changeCounts = Type.Object({ created: whole, updated: whole, removed: whole }, { title: 'ChangeCounts' });
export type ChangeCounts = Static<typeof changeCounts>;

/** How many records the definition files have changed, by kind. */
export const roleChangesAnswer = Type.Object(
  { roles: changeCounts, role_assignments: changeCounts, group_mappings: changeCounts },
  { title: 'RoleChanges' },
);
export type RoleChanges = Static<typeof roleChangesAnswer>;
