import { clientNetwork, fault, messageOf, type Clock } from '@switchyard/base';
import { Passport } from 'passport';
import { BasicStrategy } from 'passport-http';
import { readBasicCredentials, type BasicCredentials } from './basic-credentials';
import { loginLimit } from './login-limit';
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
export function createPasswordLogin(backend: PasswordBackend, clock: Pick<Clock, 'monotonicMs'>): PasswordLogin {
  const limit = loginLimit(clock);
  const queue = loginQueue();
  const verify = passportVerifier(backend);
  return async ({ authorization, address }) => {
    const credentials = readBasicCredentials(authorization);
    if (!credentials || credentials.password === '' || isTooLong(credentials)) throw fault('auth.bad-credentials');
    const client = clientNetwork(address);
    limit.check(credentials.user, client);
    const user = await queue.run(client, () => verify(credentials.user, credentials.password));
    if (user === undefined) {
      limit.failed(credentials.user, client);
      throw fault('auth.bad-credentials');
    }
    limit.succeeded(user, client);
    return user;
  };
}

/** Hashes take their time for each character; nobody has typed that many. */
const LONGEST = 1024;
const isTooLong = ({ user, password }: BasicCredentials): boolean => user.length > LONGEST || password.length > LONGEST;

const STRATEGY = 'basic';
const encode = (text: string) => Buffer.from(text).toString('base64url');
const decode = (text: string) => Buffer.from(text, 'base64url').toString();

/**
 * passport-http cuts a password at its first colon, so both parts travel through it in an alphabet without colons.
 */
function passportVerifier(backend: PasswordBackend) {
  const passport = new Passport();
  const strategy = new BasicStrategy((user, password, done) => {
    backend.authenticate(decode(user), decode(password)).then(
      (right) => done(null, right === true ? decode(user) : false),
      (error: unknown) => done(error),
    );
  });
  passport.use(STRATEGY, strategy);
  return (user: string, password: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      const authorization = `Basic ${Buffer.from(`${encode(user)}:${encode(password)}`).toString('base64')}`;
      const finish = (error: unknown, name?: unknown) => {
        if (error) reject(error instanceof Error ? error : new Error(messageOf(error)));
        else resolve(typeof name === 'string' ? name : undefined);
      };
      const middleware = passport.authenticate(STRATEGY, { session: false }, finish) as PassportMiddleware;
      middleware({ headers: { authorization } }, {}, finish);
    });
}

/** What the strategy reads of a request is its headers; its answer comes by callback, not on a response. */
type PassportMiddleware = (
  request: { headers: Record<string, string> },
  response: Record<never, never>,
  next: (error: unknown) => void,
) => void;
