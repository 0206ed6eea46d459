import { clientNetwork, fault, messageOf } from '@switchyard/base';
import { loginLimit, type LoginLimitDependencies } from './login-limit';
import { loginQueue } from './login-queue';
import type { PasswordBackend } from './password-backend';

export interface LoginAttempt {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** Address of the peer, for the limit on failures. */
  readonly address: string;
}

/** @returns the user's name. @throws Fault `auth.bad-credentials`, `auth.too-many-failures`, `auth.busy` */
export type PasswordLogin = (attempt: LoginAttempt) => Promise<string>;

/** Logs users in with basic credentials, through passport. */
export function createPasswordLogin(backend: PasswordBackend, deps: LoginLimitDependencies): PasswordLogin {
  const limit = loginLimit(deps);
  const queue = loginQueue();
  let verify: Verify | undefined;
  return async ({ authorization, address }) => {
    const credentials = readBasicCredentials(authorization);
    if (!credentials || credentials.password === '' || isTooLong(credentials)) throw fault('auth.bad-credentials');
    const client = clientNetwork(address);
    await limit.check(credentials.user, client);
    const user = await queue.run(client, async () => {
      // Others may have failed while this one waited.
      await limit.check(credentials.user, client);
      verify ??= await passportVerifier(backend);
      return verify(credentials.user, credentials.password);
    });
    if (user === undefined) {
      await limit.failed(credentials.user, client);
      throw fault('auth.bad-credentials');
    }
    await limit.succeeded(user, client);
    return user;
  };
}

/** Hashing time grows with the length, and no real password is this long. */
const LONGEST = 1024;
const isTooLong = ({ user, password }: UserCredentials): boolean => user.length > LONGEST || password.length > LONGEST;

const STRATEGY = 'basic';
const encode = (text: string) => Buffer.from(text).toString('base64url');
const decode = (text: string) => Buffer.from(text, 'base64url').toString();

/** @returns the user's name, or undefined for a wrong password */
type Verify = (user: string, password: string) => Promise<string | undefined>;

/**
 * Loads passport, which only processes with logins need. passport-http cuts a password at its first colon, so both parts
 * are passed through it in an alphabet without colons.
 */
async function passportVerifier(backend: PasswordBackend): Promise<Verify> {
  const { Passport } = await import('passport');
  const { BasicStrategy } = await import('passport-http');
  const passport = new Passport();
  const strategy = new BasicStrategy((user, password, done) => {
    backend.authenticate(decode(user), decode(password)).then(
      (right) => done(null, right === true ? decode(user) : false),
      (error: unknown) => done(error),
    );
  });
  passport.use(STRATEGY, strategy);
  return (user, password) =>
    new Promise((resolve, reject) => {
      const authorization = `Basic ${Buffer.from(`${encode(user)}:${encode(password)}`).toString('base64')}`;
      const finish = (error: unknown, name?: unknown) => {
        if (error) reject(error instanceof Error ? error : new Error(messageOf(error)));
        else resolve(typeof name === 'string' ? name : undefined);
      };
      const middleware = passport.authenticate(STRATEGY, { session: false }, finish) as PassportMiddleware;
      middleware({ headers: { authorization } }, {}, finish);
    });
}

/** The strategy reads only the request's headers and answers through the callback, not the response. */
type PassportMiddleware = (
  request: { headers: Record<string, string> },
  response: Record<never, never>,
  next: (error: unknown) => void,
) => void;

export interface UserCredentials {
  readonly user: string;
  readonly password: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses `Basic <base64 of user:password>`. The password may contain colons. @returns undefined for anything else */
export function readBasicCredentials(header: string | undefined): UserCredentials | undefined {
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = decoded(encoded);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decoded(base64: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}

/** The account that exists until users are configured. Its password is public, so it works from this machine only. */
export const DEFAULT_ACCOUNT = { user: 'svcadmin', password: 'Ch@ngeMe' } as const;

/** Accounts with public passwords: our own and the reference's. */
export const WELL_KNOWN_ACCOUNTS: readonly UserCredentials[] = [
  DEFAULT_ACCOUNT,
  { user: 'st2admin', password: DEFAULT_ACCOUNT.password },
];

/** Whether credentials are in the public documentation, so that they prove nothing. */
export const isWellKnown = (given: UserCredentials | undefined): boolean =>
  WELL_KNOWN_ACCOUNTS.some(({ user, password }) => user === given?.user && password === given.password);
