import { randomBytes } from 'node:crypto';
import type { Cookie } from '@switchyard/http';

/** A login that a browser has begun. It is kept in a cookie of the browser, so that any process can finish it. */
export interface SsoAttempt {
  readonly secret: string;
  /** Not trusted: somebody may have set the cookie. */
  readonly returnTo: string;
}

export const ATTEMPT_COOKIE = 'svc-sso-attempt';
const ATTEMPT_SECONDS = 600;
const SECRET_BYTES = 32;

export const newAttempt = (returnTo: string): SsoAttempt => ({
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
  returnTo,
});

/** The provider sends the browser back from another site, so a stricter attribute would keep the cookie away. */
export const attemptCookie = ({ secret, returnTo }: SsoAttempt): Cookie => ({
  name: ATTEMPT_COOKIE,
  value: `${secret}.${Buffer.from(returnTo).toString('base64url')}`,
  maxAgeSeconds: ATTEMPT_SECONDS,
  sameSite: 'lax',
});

export const endOfAttempt: Cookie = { name: ATTEMPT_COOKIE, value: '', maxAgeSeconds: 0, sameSite: 'lax' };

/** @returns undefined for anything that `attemptCookie` does not make */
export function readAttempt(cookie: string | undefined): SsoAttempt | undefined {
  const [, secret, returnTo] = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]+)$/.exec(cookie ?? '') ?? [];
  if (secret === undefined || returnTo === undefined) return undefined;
  return { secret, returnTo: Buffer.from(returnTo, 'base64url').toString() };
}
