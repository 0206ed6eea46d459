import { callerWith, login } from '../system/api-caller';
import type { Target } from './target';

/** The variables with the credential for `--against-url`. */
export interface UrlCredentials {
  readonly SVC_BENCH_TOKEN?: string | undefined;
  readonly SVC_BENCH_API_KEY?: string | undefined;
  readonly SVC_BENCH_USER?: string | undefined;
  readonly SVC_BENCH_PASSWORD?: string | undefined;
  /** The base address that issues tokens. Default: that of the API with `/auth` instead of `/api` at its end. */
  readonly SVC_BENCH_AUTH_URL?: string | undefined;
}

/**
 * A running system that is only reached over HTTP.
 * @param url the address of its API without `/v1`
 * @throws Error when there is no credential, or when it needs the address of the auth service
 */
export function targetAtUrl(url: string, credentials: UrlCredentials): Target {
  const api = url.replace(/\/+$/, '');
  return {
    label: new URL(api).host,
    api,
    stream: api.replace(/\/api$/, '/stream'),
    login: loginOf(api, credentials),
    stop: () => Promise.resolve(),
  };
}

function loginOf(api: string, credentials: UrlCredentials): Target['login'] {
  const { SVC_BENCH_TOKEN: token, SVC_BENCH_API_KEY: key, SVC_BENCH_USER: user, SVC_BENCH_PASSWORD: password } = credentials; // oxfmt-ignore
  if (token) return async () => callerWith(api, { 'x-auth-token': token });
  if (key) return async () => callerWith(api, { 'st2-api-key': key });
  if (!user || !password) {
    throw new Error(
      '--against-url: expected a credential in SVC_BENCH_TOKEN, SVC_BENCH_API_KEY, or SVC_BENCH_USER and SVC_BENCH_PASSWORD; found none',
    );
  }
  const auth = credentials.SVC_BENCH_AUTH_URL ?? (api.endsWith('/api') ? api.replace(/\/api$/, '/auth') : undefined);
  if (auth === undefined)
    throw new Error(`--against-url: a login needs the address of the auth service in SVC_BENCH_AUTH_URL, since ${api} does not end with /api`); // oxfmt-ignore
  return () => login(api, auth, user, password);
}
