import { fault, isFault, messageOf } from '@switchyard/base';

/**
 * The part of a library error that a user may see. Messages of the library contain parts of the response.
 * @returns Fault `auth.sso-refused`
 */
export function samlFault(error: unknown): unknown {
  if (isFault(error)) return error;
  const message = messageOf(error);
  const [, status] = /^SAML provider returned (\w{1,64}) error/.exec(message) ?? [];
  if (status !== undefined) return refused(`the provider responded with ${status}`);
  const [, text] = TEXTS.find(([pattern]) => pattern.test(message)) ?? [];
  return refused(text ?? 'the response is not valid');
}

/** The messages of the library, and of this backend. */
const TEXTS: readonly [RegExp, string][] = [
  [/document signature/, 'the response is not signed by the provider'],
  [/signature/i, 'the assertion is not signed by the provider, or its signature is not valid'],
  [/InResponseTo/i, 'the response belongs to another login, or to none'],
  [/audience/i, 'the assertion is for another system (audience)'],
  [/not yet valid/, 'the assertion is not valid yet'],
  [/expired|subject confirmation/, 'the assertion has expired'],
  [/decryption key/, 'the assertion is encrypted, which is not supported'],
];

export const refused = (text: string) => fault('auth.sso-refused', { text });
