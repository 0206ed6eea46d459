import { createHash, randomBytes } from 'node:crypto';
import { fault, isFault, MINUTE_MS, MS_MICROS, type Clock } from '@switchyard/base';
import { challengeOf, userCodeOf, type TerminalProof } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { readTerminalLogin, shownCode, type TerminalLogin } from './terminal-login';

/**
 * Terminal logins after the provider has identified the user. Nothing is stored before that, so that nobody can fill
 * the store by starting logins. The stored records are useless to a reader: each id is a hash of a secret.
 */
export interface TerminalGrants {
  /** @returns a secret for the page on which the user confirms the login. Only the user's browser gets it. */
  ask(login: TerminalLogin, user: string): Promise<string>;
  /**
   * Allows the command to fetch its token, once.
   * @returns the address to which the browser takes the proof, if the command waits on a port
   * @throws Fault `auth.sso-page-expired`, `auth.sso-login-used`
   */
  confirm(secret: string): Promise<{ readonly user: string; readonly address: string | undefined }>;
  /** @returns the user. @throws Fault `auth.sso-login-unknown` */
  redeem(proof: Pick<TerminalProof, 'verifier' | 'code'>): Promise<string>;
}

const CONFIRM_MS = 5 * MINUTE_MS;
const FETCH_MS = 2 * MINUTE_MS;
const SECRET_BYTES = 32;

export function terminalGrants(store: Pick<Store, 'loginGrants'>, clock: Pick<Clock, 'nowMicros'>): TerminalGrants {
  const grants = store.loginGrants;
  const inTime = (ms: number): Date => new Date(Math.floor(clock.nowMicros() / MS_MICROS) + ms);
  return {
    async ask(terminal, user) {
      const secret = newSecret();
      await grants.insert({ _id: hashed('page', secret), user, terminal, expires: inTime(CONFIRM_MS) });
      return secret;
    },
    async confirm(secret) {
      const asked = await grants.take(hashed('page', secret), inTime(0));
      const login = readTerminalLogin(asked?.terminal);
      if (!asked || !login) throw fault('auth.sso-page-expired');
      const { user } = asked;
      const code = newSecret();
      const _id = 'code' in login ? hashed('code', login.code) : hashed('port', login.challenge, code);
      await grants.insert({ _id, user, expires: inTime(FETCH_MS) }).catch((error: unknown) => {
        throw isFault(error) && error.code === 'storage.duplicate'
          ? fault('auth.sso-login-used', { code: shownCode(login) })
          : error;
      });
      return { user, address: 'code' in login ? undefined : addressOf(login, code) };
    },
    async redeem({ verifier, code }) {
      const challenge = challengeOf(verifier);
      const id = code === undefined ? hashed('code', userCodeOf(challenge)) : hashed('port', challenge, code);
      const grant = await grants.take(id, inTime(0));
      if (!grant) throw fault('auth.sso-login-unknown');
      return grant.user;
    },
  };
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The prefix prevents the secret of one step from being used in another. */
const hashed = (...parts: readonly string[]): string => createHash('sha256').update(parts.join(' ')).digest('hex');

/** Always this computer, so that somebody who sent the user to this login cannot redirect the proof elsewhere. */
const addressOf = ({ port, state }: { readonly port: number; readonly state: string }, code: string): string =>
  `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state }).toString()}`;
