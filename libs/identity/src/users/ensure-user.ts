import { isFault, newId } from '@switchyard/base';
import type { UserRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

type Users = Pick<Store['users'], 'byKey' | 'insert'>;

/** The user's record, made now if there is none: people appear with their first token or key. */
export async function ensureUser(users: Users, name: string): Promise<UserRecord> {
  const existing = await users.byKey(name);
  if (existing) return existing;
  const record: UserRecord = { _id: newId(), name, is_service: false, nicknames: {} };
  try {
    return await users.insert(record);
  } catch (error) {
    // Somebody else made it between the two calls.
    if (isFault(error) && error.code === 'storage.duplicate') return (await users.byKey(name)) ?? record;
    throw error;
  }
}
