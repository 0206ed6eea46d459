import { Type, type Static } from '@sinclair/typebox';
import { anyObject, date, described, flag, text } from './fields';

/** A login of `svc login --sso` with a known user. Either the user still has to confirm it, or the command has to fetch
 * its token. */
export const loginGrantRecordSchema = Type.Object({
  _id: described(text, 'A hash of a secret that only the browser or the command has'),
  user: text,
  terminal: Type.Optional(described(anyObject, 'The login that the user must confirm; absent afterwards')),
  /** A date, so that the store's TTL index can remove the record. */
  expires: date,
});
export type LoginGrantRecord = Static<typeof loginGrantRecordSchema>;

/** The proof of `svc login --sso` that a login in a browser belongs to it. */
export const terminalProofSchema = Type.Object(
  {
    verifier: Type.String({ minLength: 43, maxLength: 128, description: 'The secret with which the login began' }),
    code: Type.Optional(described(text, 'What the browser returned to a command that listens on a port')),
    ttl: Type.Optional(Type.Integer({ minimum: 1, description: 'Lifetime of the token in seconds' })),
  },
  { title: 'TerminalProof', secret: true },
);
export type TerminalProof = Static<typeof terminalProofSchema>;

export const singleSignOnAnswer = Type.Object(
  {
    enabled: flag,
    login_url: Type.Optional(described(text, 'Where a browser logs in for svc login --sso')),
  },
  { title: 'SingleSignOn' },
);
export type SingleSignOn = Static<typeof singleSignOnAnswer>;
