import type {
  ApiKeyRecord,
  GroupMappingRecord,
  LoginFailureRecord,
  LoginGrantRecord,
  RoleAssignmentRecord,
  RoleRecord,
  TokenRecord,
  UserRecord,
} from '@switchyard/model';
import type { Layout } from './layout';

export const userLayout: Layout<UserRecord> = {
  needed: ['name'],
  indexes: [{ fields: { name: 1 }, options: { unique: true } }],
};

export const tokenLayout: Layout<TokenRecord> = {
  needed: ['user', 'token_hash'],
  indexes: [
    { fields: { token_hash: 1 }, options: { unique: true } },
    { fields: { user: 1, _id: 1 } },
    // An expired token stays for a day, so that the error can say that it has expired.
    { fields: { expiry: 1 }, options: { expireAfterSeconds: 24 * 60 * 60 } },
  ],
};

export const apiKeyLayout: Layout<ApiKeyRecord> = {
  needed: ['uid', 'user', 'key_hash'],
  indexes: [{ fields: { key_hash: 1 }, options: { unique: true } }],
};

export const loginFailureLayout: Layout<LoginFailureRecord> = {
  needed: [],
  indexes: [{ fields: { expires: 1 }, options: { expireAfterSeconds: 0 } }],
};

export const loginGrantLayout: Layout<LoginGrantRecord> = {
  needed: ['user'],
  indexes: [{ fields: { expires: 1 }, options: { expireAfterSeconds: 0 } }],
};

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
