import { fault } from '@switchyard/base';
import type { UserRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** Whom a service account wants a token for: by name, or by a chat nickname within an origin. */
export interface ImpersonationRequest {
  readonly user?: string | undefined;
  readonly nickname?: string | undefined;
  readonly nicknameOrigin?: string | undefined;
}

type Users = Pick<Store['users'], 'byKey' | 'list'>;

/** Origins become part of a stored field's name, so only plain words are looked up. */
const PLAIN_ORIGIN = /^[\w-]+$/;

/**
 * The user that a token is made for: the caller, or somebody else when the caller is a service account.
 * @throws Fault `auth.not-a-service`, `auth.user-not-found`, `auth.no-nickname-origin`, `auth.ambiguous-nickname`
 */
export async function tokenUser(users: Users, caller: string, request: ImpersonationRequest): Promise<string> {
  if (!request.user && !request.nickname) return caller;
  const record = await users.byKey(caller);
  if (!record) throw fault('auth.user-not-found', { user: caller });
  if (!record.is_service) throw fault('auth.not-a-service');
  if (request.nickname) return (await byNickname(users, request.nickname, request.nicknameOrigin)).name;
  const target = request.user as string;
  if (!(await users.byKey(target))) throw fault('auth.user-not-found', { user: target });
  return target;
}

async function byNickname(users: Users, nickname: string, origin: string | undefined): Promise<UserRecord> {
  if (!origin) throw fault('auth.no-nickname-origin', { nickname });
  const found = PLAIN_ORIGIN.test(origin)
    ? await users.list({ filter: { [`nicknames.${origin}`]: nickname }, limit: 2 })
    : [];
  if (found.length > 1) throw fault('auth.ambiguous-nickname', { nickname, origin });
  if (!found[0]) throw fault('auth.user-not-found', { user: `${nickname}@${origin}` });
  return found[0];
}
