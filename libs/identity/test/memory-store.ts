import { fault, MS_MICROS } from '@switchyard/base';
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
import type { RecordPage, ResourceRepository, Store } from '@switchyard/storage';

type Record_ = { _id: string };

const at = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], record);

/** In-memory repositories for identities. Filters are values, not conditions. `reads` counts look-ups, `writes` counts
 * recorded uses. */
export function memoryStore() {
  const reads = { tokens: 0, apiKeys: 0, users: 0, roles: 0 };
  const writes = { lastUses: 0 };
  const tokens = new Map<string, TokenRecord>();
  const validOf = (user: string, now: Date) =>
    [...tokens.values()].filter((token) => token.user === user && token.expiry > now);
  const assignments = resources<RoleAssignmentRecord>('_id', () => undefined);
  const apiKeys = resources<ApiKeyRecord>('key_hash', () => (reads.apiKeys += 1));
  const grants = new Map<string, LoginGrantRecord>();
  const failures = new Map<string, LoginFailureRecord>();
  const failureOf = (id: string, now: Date) => [failures.get(id)].find((found) => found && found.expires > now);
  const store: Pick<
    Store,
    'users' | 'tokens' | 'apiKeys' | 'roles' | 'roleAssignments' | 'groupMappings' | 'loginFailures' | 'loginGrants'
  > = {
    users: resources<UserRecord>('name', () => (reads.users += 1)),
    apiKeys: {
      ...apiKeys,
      async noteUse(id, at, unlessSince) {
        writes.lastUses += 1;
        const record = await apiKeys.get(id);
        if (record && (record.last_used_at ?? 0) <= unlessSince) await apiKeys.replace({ ...record, last_used_at: at });
      },
    },
    roles: resources<RoleRecord>('name', () => (reads.roles += 1)),
    groupMappings: resources<GroupMappingRecord>('group', () => undefined),
    roleAssignments: {
      ...assignments,
      ofUser: (user) => assignments.list({ filter: { user } }),
      async insertMany(records) {
        for (const record of records) await assignments.insert(record);
      },
      async removeMany(ids) {
        for (const id of ids) await assignments.remove(id);
      },
    },
    loginFailures: {
      get: async (id, now) => failureOf(id, now),
      async add(id, now, expires) {
        failures.set(id, { _id: id, count: (failureOf(id, now)?.count ?? 0) + 1, expires });
      },
      async remove(id) {
        failures.delete(id);
      },
    },
    loginGrants: {
      insert(record) {
        if (grants.has(record._id)) return Promise.reject(fault('storage.duplicate', { text: '_id' }));
        return Promise.resolve(grants.set(record._id, record).get(record._id) as LoginGrantRecord);
      },
      take(id, now) {
        const record = grants.get(id);
        grants.delete(id);
        return Promise.resolve(record && record.expires > now ? record : undefined);
      },
    },
    tokens: {
      insert: (record) => Promise.resolve(tokens.set(record._id, record).get(record._id) as TokenRecord),
      byHash(hash) {
        reads.tokens += 1;
        return Promise.resolve([...tokens.values()].find((token) => token.token_hash === hash));
      },
      extend(id, expiry) {
        const record = tokens.get(id);
        if (record) tokens.set(id, { ...record, expiry });
        return Promise.resolve(record !== undefined);
      },
      get: (id) => Promise.resolve(tokens.get(id)),
      ofUser: async (user, now, { offset = 0, limit } = {}) =>
        validOf(user, now).slice(offset, limit === undefined ? undefined : offset + limit),
      countOfUser: async (user, now) => validOf(user, now).length,
      remove: (id) => Promise.resolve(tokens.delete(id)),
      oldest: async (before, limit) =>
        [...tokens.values()].filter(({ expiry }) => expiry.getTime() * MS_MICROS < before).slice(0, limit),
      removeAll: async (ids) => ids.filter((id) => tokens.delete(id)).length,
      async removeOfUser(user) {
        const found = [...tokens.values()].filter((token) => token.user === user);
        for (const { _id } of found) tokens.delete(_id);
        return found.length;
      },
    },
  };
  return { store, reads, writes, tokens };
}

function resources<T extends Record_>(key: keyof T & string, onRead: () => void): ResourceRepository<T> {
  const records = new Map<string, T>();
  const matching = ({ filter = {} }: RecordPage<T>) =>
    [...records.values()].filter((record) =>
      Object.entries(filter).every(([path, value]) => at(record, path) === value),
    );
  const keyed = (value: string) => [...records.values()].find((record) => record[key] === value);
  const byKey = (value: string) => {
    onRead();
    return Promise.resolve(keyed(value));
  };
  const list = async ({ offset = 0, limit, ...page }: RecordPage<T> = {}) =>
    matching(page).slice(offset, limit === undefined ? undefined : offset + limit);
  return {
    byKey,
    get: (id) => Promise.resolve(records.get(id)),
    find: async (value) => (await byKey(value)) ?? records.get(value),
    list,
    async *each(page) {
      yield* await list(page);
    },
    count: (filter = {}) => Promise.resolve(matching({ filter }).length),
    insert(record) {
      if (keyed(String(record[key]))) return Promise.reject(fault('storage.duplicate', { text: key }));
      records.set(record._id, record);
      return Promise.resolve(record);
    },
    replace(record) {
      const known = records.has(record._id);
      if (known) records.set(record._id, record);
      return Promise.resolve(known);
    },
    upsert: () => Promise.reject(new Error('not used')),
    remove: (id) => Promise.resolve(records.delete(id)),
  };
}
