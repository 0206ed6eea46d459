import { fault } from '@switchyard/base';

/** The names that clients may give (interface sheet "execution", section 14). */
export const TRANSPORTS = ['basic', 'certificate', 'credssp', 'kerberos', 'ntlm', 'plaintext', 'ssl'] as const;

/** How one logs in. The other names are either another word for one of these, or cannot be used. */
export type Transport = 'basic' | 'ntlm';

const MEANINGS: Readonly<Record<string, Transport>> = {
  basic: 'basic',
  ntlm: 'ntlm',
  plaintext: 'basic',
  ssl: 'basic',
};

const REASONS: Readonly<Record<string, string>> = {
  certificate: 'there is no parameter for the certificate of a client',
  credssp: 'delegating the password to the host is not built in',
  kerberos: 'tickets of Kerberos are not built in',
};

/** @throws Fault `winrm.transport`, `winrm.plain-ssl` */
export function transportNamed(name: string, url: URL): Transport {
  const meaning = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
  if (meaning === undefined) {
    const reason = (Object.hasOwn(REASONS, name) ? REASONS[name] : undefined) ?? 'there is none of that name';
    throw fault('winrm.transport', { transport: name, reason, working: Object.keys(MEANINGS).join(', ') });
  }
  if (name === 'ssl' && url.protocol !== 'https:') throw fault('winrm.plain-ssl');
  return meaning;
}
