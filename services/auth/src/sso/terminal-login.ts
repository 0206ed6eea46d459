import { isPlainObject } from '@switchyard/base';
import { readUserCode, userCodeOf } from '@switchyard/model';

/**
 * A login of `svc login --sso` that a browser finishes. The command either waits on a port of the same computer as the
 * browser, or polls until somebody has logged in with its code.
 */
export type TerminalLogin =
  | { readonly port: number; readonly state: string; readonly challenge: string }
  | { readonly code: string };

const UNGUESSABLE = /^[A-Za-z0-9_-]{43}$/;
const HIGHEST_PORT = 65535;

/** @param given from the query, from a cookie, or from the store. @returns undefined if it is not such a login */
export function readTerminalLogin(given: unknown): TerminalLogin | undefined {
  if (!isPlainObject(given)) return undefined;
  const { code, port, state, challenge } = given;
  if (typeof code === 'string') {
    const read = readUserCode(code);
    return read === undefined ? undefined : { code: read };
  }
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= HIGHEST_PORT;
  if (!isPort || typeof state !== 'string' || typeof challenge !== 'string') return undefined;
  return UNGUESSABLE.test(state) && UNGUESSABLE.test(challenge) ? { port, state, challenge } : undefined;
}

/** The code, which the command also shows. */
export const shownCode = (login: TerminalLogin): string => ('code' in login ? login.code : userCodeOf(login.challenge));
