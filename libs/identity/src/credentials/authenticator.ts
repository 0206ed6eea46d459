import { fault, MS_MICROS, SECOND_MS, type Clock } from '@switchyard/base';
import type { ApiKeyRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { AccessControl, Requester } from '../access';
import type { ApiKeys } from '../api-keys';
import type { Tokens } from '../tokens';
import { checkKeyUse, isLimited, type RestrictionOf } from './key-limits';
import { recentLookups } from './recent-lookups';

export interface Identity {
  readonly requester: Requester;
  /** A token from a header or query, and its remaining lifetime: the caller sets it as a cookie. */
  readonly cookie?: { readonly token: string; readonly maxAgeSeconds: number };
}

/** @throws Fault of the `auth.` family, mostly 401 */
export type Authenticate = (sources: CredentialSources) => Promise<Identity>;

export interface AuthenticatorDependencies {
  readonly tokens: Pick<Tokens, 'find' | 'isExpired'>;
  readonly apiKeys: Pick<ApiKeys, 'lookUp' | 'noteUse'>;
  readonly store: { readonly users: Pick<Store['users'], 'byKey'> };
  readonly clock: Pick<Clock, 'nowMicros' | 'monotonicMs'>;
  readonly access: AccessControl;
  readonly restrictionOf: RestrictionOf;
}

/** Identifies the requester from exactly one credential. The user's record must exist. */
export function createAuthenticator(deps: AuthenticatorDependencies): Authenticate {
  const known = recentLookups<true>(deps.clock);
  const needUser = async (name: string) => {
    const found = await known.get(name, async () => ((await deps.store.users.byKey(name)) ? true : undefined));
    if (!found) throw fault('auth.unknown-user');
  };
  return async (sources) => {
    const credential = findCredential(sources);
    const proof =
      credential.kind === 'token' ? await byToken(deps, credential) : await byKey(deps, credential, sources);
    const { requester, used, ...rest } = proof;
    await needUser(requester.user);
    if (used) await deps.apiKeys.noteUse(used);
    const { isAdmin: mayBeAdmin = true } = requester.restriction ?? {};
    return { ...rest, requester: { ...requester, isAdmin: mayBeAdmin && (await deps.access.isAdmin(requester.user)) } };
  };
}

/** Used while authentication is off: every request runs as the system user. */
export function anonymousAuthenticator(systemUser: string): Authenticate {
  const identity: Identity = { requester: { user: systemUser, method: 'none', location: 'none', isAdmin: true } };
  return () => Promise.resolve(identity);
}

/** An identity whose `isAdmin` is not set yet. */
interface Proof extends Identity {
  /** The key that proved it. */
  readonly used?: ApiKeyRecord;
}

async function byToken(
  { tokens, clock, restrictionOf }: AuthenticatorDependencies,
  credential: Credential,
): Promise<Proof> {
  const record = await tokens.find(credential.value);
  if (!record) throw fault('auth.unknown-token');
  if (tokens.isExpired(record)) throw fault('auth.expired-token');
  const restriction = record.role === undefined ? undefined : await restrictionOf({ role: record.role });
  const requester: Requester = {
    ...(restriction ? { restriction, isLimited: true } : {}),
    ...(record.role === undefined ? {} : { boundRole: record.role }),
    user: record.user,
    method: 'token',
    location: credential.location === 'query' ? 'query' : 'header',
    isAdmin: false,
    tokenExpiry: record.expiry,
    token: credential.value,
  };
  if (credential.location === 'cookie') return { requester };
  const left = (record.expiry.getTime() - clock.nowMicros() / MS_MICROS) / SECOND_MS;
  return { requester, cookie: { token: credential.value, maxAgeSeconds: Math.max(0, Math.floor(left)) } };
}

async function byKey(
  { apiKeys, clock, restrictionOf }: AuthenticatorDependencies,
  credential: Credential,
  sources: CredentialSources,
): Promise<Proof> {
  const record = await apiKeys.lookUp(credential.value);
  if (!record) throw fault('auth.unknown-key');
  if (!record.enabled) throw fault('auth.disabled-key');
  checkKeyUse(record, clock.nowMicros(), () => sources.address());
  const requester: Requester = {
    user: record.user,
    method: 'api key',
    location: credential.location === 'query' ? 'query' : 'header',
    isAdmin: false,
    isLimited: isLimited(record),
  };
  const restriction = await restrictionOf(record);
  return { requester: restriction ? { ...requester, restriction } : requester, used: record };
}

/** The parts of a request that may hold credentials. An empty text counts as absent. */
export interface CredentialSources {
  /** @param name in lower case */
  header(name: string): string | undefined;
  query(name: string): string | undefined;
  cookie(name: string): string | undefined;
  /** The address of the client. */
  address(): string;
}

export interface Credential {
  readonly kind: 'token' | 'api key';
  readonly value: string;
  readonly location: 'header' | 'query' | 'cookie';
}

const TOKEN = 'x-auth-token';
/** The second name is for clients of the reference. */
const API_KEY = ['svc-api-key', 'st2-api-key'] as const;
export const TOKEN_COOKIE = 'auth-token';

/**
 * Finds the credential of a request: a token or an API key, in a header or the query. A header wins over the query; the
 * cookie counts only when there is nothing else.
 * @throws Fault `auth.two-credentials` when both kinds are given, `auth.no-credentials` when none is
 */
function findCredential(sources: CredentialSources): Credential {
  const token = inHeaderOrQuery(sources, [TOKEN]);
  const key = inHeaderOrQuery(sources, API_KEY);
  if (token && key) throw fault('auth.two-credentials');
  if (token) return { kind: 'token', ...token };
  if (key) return { kind: 'api key', ...key };
  const cookie = sources.cookie(TOKEN_COOKIE);
  if (cookie) return { kind: 'token', value: cookie, location: 'cookie' };
  throw fault('auth.no-credentials');
}

/** Whether a request has a token or an API key, valid or not. */
export const hasCredential = (sources: CredentialSources): boolean =>
  (inHeaderOrQuery(sources, [TOKEN, ...API_KEY]) ?? sources.cookie(TOKEN_COOKIE)) !== undefined;

/** Whether a request has a cookie with a token, and no other credential. */
export const reliesOnCookie = (sources: CredentialSources): boolean =>
  hasCredential(sources) && inHeaderOrQuery(sources, [TOKEN, ...API_KEY]) === undefined;

function inHeaderOrQuery(sources: CredentialSources, names: readonly string[]) {
  for (const location of ['header', 'query'] as const) {
    for (const name of names) {
      const value = sources[location](name);
      if (value) return { value, location };
    }
  }
  return undefined;
}
