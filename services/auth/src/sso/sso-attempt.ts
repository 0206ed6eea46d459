import { createHash, randomBytes } from 'node:crypto';
import { isPlainObject } from '@switchyard/base';
import { requestCookie, type Cookie } from '@switchyard/http';
import { ssoState } from '@switchyard/identity';
import type { SsoLogin } from './sso-login';
import { readTerminalLogin, type TerminalLogin } from './terminal-login';

/** A login that a browser has begun. It is stored in a cookie of the browser, so that any process can finish it. */
export interface SsoAttempt {
  readonly secret: string;
  /** Not trusted: the cookie may have been set by somebody else. */
  readonly end: LoginEnd;
}

/** The purpose of the login: a page that needs a token, or `svc login --sso`. */
export type LoginEnd = { readonly returnTo: string } | { readonly terminal: TerminalLogin };

const NAME = 'svc-sso-attempt-';
const ATTEMPT_SECONDS = 600;
const SECRET_BYTES = 32;
/** Browsers send at most a few kilobytes of cookies. */
const MOST_ATTEMPTS = 4;

export const newAttempt = (end: LoginEnd): SsoAttempt => ({
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
  end,
});

/**
 * @param comes how the response of the provider arrives @param header the cookies of the browser. If they contain many
 * attempts, the oldest are dropped
 */
export function attemptCookies(
  { secret, end }: SsoAttempt,
  comes: SsoLogin['responseComes'],
  header: string | undefined,
): Cookie[] {
  const kept = Buffer.from(JSON.stringify(end)).toString('base64url');
  const begun = [...(header ?? '').matchAll(/(?:^|;)\s*(svc-sso-attempt-[\w-]{16})=/g)].map(
    ([, name]) => name as string,
  );
  return [
    ...begun.slice(0, -(MOST_ATTEMPTS - 1)).map(endedCookie),
    {
      ...cookie(nameFor(ssoState(secret)), `${secret}.${kept}`, ATTEMPT_SECONDS),
      sameSite: comes === 'by-post' ? 'none' : 'lax',
    },
  ];
}

/** Ends the attempt that belongs to a state. */
export const endOfAttempt = (state: string): Cookie => endedCookie(nameFor(state));

/** @returns undefined if the browser has not begun a login with this state, and for anything that `attemptCookies` does not make */
export function readAttempt(header: string | undefined, state: string): SsoAttempt | undefined {
  const sent = requestCookie(header, nameFor(state)) ?? '';
  const [, secret, kept] = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]+)$/.exec(sent) ?? [];
  const end = kept === undefined ? undefined : readEnd(Buffer.from(kept, 'base64url').toString());
  return secret === undefined || end === undefined ? undefined : { secret, end };
}

function readEnd(text: string): LoginEnd | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isPlainObject(value)) return undefined;
    if (typeof value['returnTo'] === 'string') return { returnTo: value['returnTo'] };
    const terminal = readTerminalLogin(value['terminal']);
    return terminal && { terminal };
  } catch {
    return undefined;
  }
}

/** Each login has its own cookie, so that several tabs can log in at once. */
const nameFor = (state: string): string => NAME + createHash('sha256').update(state).digest('base64url').slice(0, 16);

const endedCookie = (name: string): Cookie => cookie(name, '', 0);

/** The provider sends the browser back from another site. With a stricter attribute, the browser would not send the
 * cookie. */
const cookie = (name: string, value: string, maxAgeSeconds: number): Cookie => ({
  name,
  value,
  maxAgeSeconds,
  sameSite: 'lax',
});
