import { HOUR_MS, MINUTE_MS, newId, MS_MICROS } from '@switchyard/base';
import type { Identities } from '@switchyard/identity';
import type { GivenGrant } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** `permission`, or `permission@uid` for one resource. */
export type Grant = string;

/** The headers of a request that identify its sender. */
export type Credentials = Readonly<Record<string, string>>;

/** Stores a role of the same name for a user. */
export async function giveRole(
  { roles, roleAssignments }: Pick<Store, 'roles' | 'roleAssignments'>,
  user: string,
  grants: readonly Grant[],
  system = false,
): Promise<void> {
  const _id = newId();
  const permission_grants = grants.map((grant) => ({ id: newId(), ...grantOf(grant) }));
  await roles.insert({ _id, name: user, description: '', system, permission_grants });
  await roleAssignments.insertMany([{ _id, user, role: user, source: 'test', is_remote: false }]);
}

export function grantOf(grant: Grant): GivenGrant {
  const [permission = '', uid] = grant.split(/@(.*)/s);
  return { permission_types: [permission], ...(uid === undefined ? {} : { resource_uid: uid }) };
}

type Site = Pick<Identities, 'tokens' | 'apiKeys'> & { readonly store: Pick<Store, 'tokens' | 'apiKeys'> };

export async function tokenOf({ tokens }: Pick<Site, 'tokens'>, user: string): Promise<Credentials> {
  return { 'x-auth-token': (await tokens.issueToken({ user })).token };
}

/** An API key of an administrator that is restricted to some permissions. */
export async function limitedKey({ apiKeys }: Pick<Site, 'apiKeys'>, grants: readonly Grant[]): Promise<Credentials> {
  const { key } = await apiKeys.create({ user: 'admin', limits: { permission_grants: grants.map(grantOf) } });
  return { 'svc-api-key': key as string };
}

/** Requests with these credentials are refused with a 401, and with the last ones with a 400. */
export const INVALID_CALLERS: Readonly<Record<string, number>> = {
  'no credential': 401,
  'a wrong token': 401,
  'an expired token': 401,
  'a revoked token': 401,
  'a wrong API key': 401,
  'an expired API key': 401,
  'a disabled API key': 401,
  'a removed API key': 401,
  'a token and an API key': 400,
};

/**
 * The usual callers, each with its own credentials: the invalid ones, a user without roles with a token and with an API
 * key, and the users `system_admin`, `admin` and `observer`.
 */
export async function usualCallers(site: Site): Promise<Record<string, Credentials>> {
  const key = (value: string | undefined) => ({ 'svc-api-key': value as string });
  const revoked = await site.tokens.issueToken({ user: 'gone' });
  await site.tokens.revoke(revoked.token);
  const expired = await site.tokens.issueToken({ user: 'late' });
  await site.store.tokens.extend(expired.id, new Date(Date.now() - MINUTE_MS));
  const hour = { expires_at: (Date.now() + HOUR_MS) * MS_MICROS };
  const old = await site.apiKeys.create({ user: 'late', limits: hour });
  await site.store.apiKeys.replace({ ...old.record, expires_at: (Date.now() - MINUTE_MS) * MS_MICROS });
  const removed = await site.apiKeys.create({ user: 'gone' });
  await site.apiKeys.remove(removed.record);
  const valid = key((await site.apiKeys.create({ user: 'nobody' })).key);
  return {
    'no credential': {},
    'a wrong token': { 'x-auth-token': 'wrong' },
    'an expired token': { 'x-auth-token': expired.token },
    'a revoked token': { 'x-auth-token': revoked.token },
    'a wrong API key': key('wrong'),
    'an expired API key': key(old.key),
    'a disabled API key': key((await site.apiKeys.create({ user: 'nobody', enabled: false })).key),
    'a removed API key': key(removed.key),
    'a token and an API key': { ...valid, ...(await tokenOf(site, 'nobody')) },
    nobody: await tokenOf(site, 'nobody'),
    'an API key': valid,
    observer: await tokenOf(site, 'observer'),
    admin: await tokenOf(site, 'admin'),
    system_admin: await tokenOf(site, 'system_admin'),
  };
}
