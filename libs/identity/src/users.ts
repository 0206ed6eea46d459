import { isFault, newId, fault } from '@switchyard/base';
import type { UserRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** Returns the user's record, creating it if needed: users appear with their first token or key. */
export async function ensureUser(users: Pick<Store['users'], 'byKey' | 'insert'>, name: string): Promise<UserRecord> {
  const existing = await users.byKey(name);
  if (existing) return existing;
  const record: UserRecord = { _id: newId(), name, is_service: false, nicknames: {} };
  try {
    return await users.insert(record);
  } catch (error) {
    // Another process created it between the two calls.
    if (isFault(error) && error.code === 'storage.duplicate') return (await users.byKey(name)) ?? record;
    throw error;
  }
}

/** The user for whom a service account requests a token: by name, or by a chat nickname within an origin. */
export interface ImpersonationRequest {
  readonly user?: string | undefined;
  readonly nickname?: string | undefined;
  readonly nicknameOrigin?: string | undefined;
}

type UserLookup = Pick<Store['users'], 'byKey' | 'list'>;

/** The origin becomes part of a field name in a query, so only plain words are allowed. */
const PLAIN_ORIGIN = /^[\w-]+$/;

/**
 * Returns the user to issue a token for: the caller, or the requested user when the caller is a service account.
 * @throws Fault `auth.not-a-service`, `auth.user-not-found`, `auth.no-nickname-origin`, `auth.ambiguous-nickname`
 */
export async function tokenUser(users: UserLookup, caller: string, request: ImpersonationRequest): Promise<string> {
  if (!request.user && !request.nickname) return caller;
  const record = await users.byKey(caller);
  if (!record) throw fault('auth.user-not-found', { user: caller });
  if (!record.is_service) throw fault('auth.not-a-service');
  if (request.nickname) return (await byNickname(users, request.nickname, request.nicknameOrigin)).name;
  const target = request.user as string;
  if (!(await users.byKey(target))) throw fault('auth.user-not-found', { user: target });
  return target;
}

async function byNickname(users: UserLookup, nickname: string, origin: string | undefined): Promise<UserRecord> {
  if (!origin) throw fault('auth.no-nickname-origin', { nickname });
  const found = PLAIN_ORIGIN.test(origin)
    ? await users.list({ filter: { [`nicknames.${origin}`]: nickname }, limit: 2 })
    : [];
  if (found.length > 1) throw fault('auth.ambiguous-nickname', { nickname, origin });
  if (!found[0]) throw fault('auth.user-not-found', { user: `${nickname}@${origin}` });
  return found[0];
}
