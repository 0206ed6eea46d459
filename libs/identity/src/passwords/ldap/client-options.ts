import { readFileSync } from 'node:fs';
import type { SecureVersion } from 'node:tls';
import { fault, messageOf, SECOND_MS } from '@switchyard/base';
import type { LdapTls } from './ldap-settings';

/** The settings of `client_options`. */
export interface LdapClientOptions {
  readonly tls: LdapTls;
  readonly operationMs?: number;
  readonly searchSeconds?: number;
}

interface Setter {
  /** The constant of python-ldap. Configurations of StackStorm use its number as the name. */
  readonly name: string;
  readonly number: number;
  readonly expected: string;
  /** @returns undefined for a value that is not accepted. @throws the operating system's error for a file */
  set(options: LdapClientOptions, value: unknown): LdapClientOptions | undefined;
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined;

const withTls = (options: LdapClientOptions, more: Partial<LdapTls>): LdapClientOptions => ({
  ...options,
  tls: { ...options.tls, ...more },
});

/** Whether the certificate of the server is checked, by the values of OPT_X_TLS_REQUIRE_CERT. */
const CHECKS: readonly boolean[] = [false, true, true, false, true];
/** The version of the protocol as in its records: 0x0303 is TLS 1.2. */
const VERSIONS: Readonly<Record<number, SecureVersion>> = {
  0x301: 'TLSv1',
  0x302: 'TLSv1.1',
  0x303: 'TLSv1.2',
  0x304: 'TLSv1.3',
};

const SETTERS: readonly Setter[] = [
  {
    name: 'OPT_TIMELIMIT',
    number: 4,
    expected: 'whole seconds above 0',
    set: (options, value) =>
      Number.isInteger(positive(value)) ? { ...options, searchSeconds: value as number } : undefined,
  },
  {
    name: 'OPT_TIMEOUT',
    number: 0x5002,
    expected: 'seconds above 0',
    set: (options, value) =>
      positive(value) === undefined ? undefined : { ...options, operationMs: (value as number) * SECOND_MS },
  },
  {
    name: 'OPT_X_TLS_CERTFILE',
    number: 0x6004,
    expected: 'the path of a PEM file',
    set: (options, value) => (typeof value === 'string' ? withTls(options, { cert: readFileSync(value) }) : undefined),
  },
  {
    name: 'OPT_X_TLS_KEYFILE',
    number: 0x6005,
    expected: 'the path of a PEM file',
    set: (options, value) => (typeof value === 'string' ? withTls(options, { key: readFileSync(value) }) : undefined),
  },
  {
    name: 'OPT_X_TLS_REQUIRE_CERT',
    number: 0x6006,
    expected: 'a number from 0 (never) to 4 (try)',
    set(options, value) {
      const isChecked = CHECKS[value as number];
      return isChecked === undefined ? undefined : withTls(options, { rejectUnauthorized: isChecked });
    },
  },
  {
    name: 'OPT_X_TLS_PROTOCOL_MIN',
    number: 0x6007,
    expected: 'a number from 769 (TLS 1.0) to 772 (TLS 1.3)',
    set(options, value) {
      const minVersion = VERSIONS[value as number];
      return minVersion && withTls(options, { minVersion });
    },
  },
];

/** @param given values by the name or the number of the option of python-ldap. @throws Fault `config.conflict` */
export function clientOptions(given: Readonly<Record<string, unknown>>): LdapClientOptions {
  const none: LdapClientOptions = { tls: { rejectUnauthorized: true } };
  return Object.entries(given).reduce((options, [name, value]) => {
    const setter = SETTERS.find((each) => each.name === name || String(each.number) === name);
    const refuse = (expected: string, actual: string) =>
      fault('config.conflict', {
        text: `auth.backend_kwargs of the backend ldap: "client_options.${name}": expected ${expected}, got ${actual}`,
      });
    if (!setter) {
      const known = SETTERS.map((each) => `${each.name} (${each.number})`).join(', ');
      throw refuse(`one of the options ${known}`, 'an unknown name');
    }
    const set = attempt(() => setter.set(options, value));
    if ('problem' in set) throw refuse(setter.expected, set.problem);
    if (!set.value) throw refuse(setter.expected, JSON.stringify(value));
    return set.value;
  }, none);
}

function attempt<T>(act: () => T): { readonly value: T } | { readonly problem: string } {
  try {
    return { value: act() };
  } catch (error) {
    return { problem: `the error "${messageOf(error)}"` };
  }
}
