import type { GroupMappingRecord, RoleAssignmentRecord, RoleRecord } from '@switchyard/model';
import type { Layout } from './layout';

export const roleLayout: Layout<RoleRecord> = {
  needed: ['name', 'permission_grants'],
  indexes: [{ fields: { name: 1 }, options: { unique: true } }],
};

export const roleAssignmentLayout: Layout<RoleAssignmentRecord> = {
  needed: ['user', 'role', 'source'],
  // Also finds the roles of a user.
  indexes: [{ fields: { user: 1, role: 1, source: 1 }, options: { unique: true } }, { fields: { role: 1 } }],
};

export const groupMappingLayout: Layout<GroupMappingRecord> = {
  needed: ['group', 'roles'],
  indexes: [{ fields: { group: 1 }, options: { unique: true } }],
};
