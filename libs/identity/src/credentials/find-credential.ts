import { fault } from '@switchyard/base';

/** The parts of a request that may hold credentials. An empty text counts as absent. */
export interface CredentialSources {
  /** @param name in lower case */
  header(name: string): string | undefined;
  query(name: string): string | undefined;
  cookie(name: string): string | undefined;
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
export function findCredential(sources: CredentialSources): Credential {
  const token = inHeaderOrQuery(sources, [TOKEN]);
  const key = inHeaderOrQuery(sources, API_KEY);
  if (token && key) throw fault('auth.two-credentials');
  if (token) return { kind: 'token', ...token };
  if (key) return { kind: 'api key', ...key };
  const cookie = sources.cookie(TOKEN_COOKIE);
  if (cookie) return { kind: 'token', value: cookie, location: 'cookie' };
  throw fault('auth.no-credentials');
}

function inHeaderOrQuery(sources: CredentialSources, names: readonly string[]) {
  for (const location of ['header', 'query'] as const) {
    for (const name of names) {
      const value = sources[location](name);
      if (value) return { value, location };
    }
  }
  return undefined;
}
