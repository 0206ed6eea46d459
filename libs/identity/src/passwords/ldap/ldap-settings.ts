import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { SecureContextOptions, SecureVersion } from 'node:tls';
import { fault, messageOf, SECOND_MS } from '@switchyard/base';
import {
  choiceArgument,
  flagArgument,
  listArgument,
  numberArgument,
  objectArgument,
  optional,
  readArguments,
  textArgument,
} from '../backend-arguments';
import { clientOptions } from './client-options';
import { ldapts } from './ldapts';

const MOST_SECONDS = 3600;
const LAST_PORT = 65_535;

/** `auth.backend_kwargs` of the backend `ldap`. The names are those of StackStorm, except for `nested_groups`. */
const ldapArguments = {
  bind_dn: textArgument('the DN of an account that may search'),
  bind_password: { ...textArgument('the password of that account'), secret: true } as const,
  base_ou: textArgument('the DN below which users and groups are'),
  group_dns: listArgument('a list of DNs of groups'),
  group_dns_check: optional(choiceArgument(['and', 'or']), 'and'),
  host: textArgument('names or addresses of servers, separated by commas'),
  port: optional(
    numberArgument(`a port from 1 to ${LAST_PORT}`, (port) => Number.isInteger(port) && port > 0 && port <= LAST_PORT),
    null,
  ),
  use_ssl: optional(flagArgument, false),
  use_tls: optional(flagArgument, false),
  cacert: optional(textArgument('the path of a PEM file'), null),
  id_attr: optional(textArgument('the name of an attribute'), 'uid'),
  scope: optional(choiceArgument(['base', 'onelevel', 'subtree']), 'subtree'),
  network_timeout: optional(
    numberArgument(`seconds above 0, at most ${MOST_SECONDS}`, (seconds) => seconds > 0 && seconds <= MOST_SECONDS),
    10,
  ),
  chase_referrals: optional(flagArgument, false),
  debug: optional(flagArgument, false),
  client_options: optional(objectArgument('an object with options of python-ldap'), null),
  account_pattern: optional(textArgument('a filter with {username}'), null),
  group_pattern: optional(textArgument('a filter with {user_dn} or {username}'), null),
  nested_groups: optional(choiceArgument(['off', 'walk', 'in_chain']), 'off'),
};

export interface LdapServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, TLS after StartTLS, or none. */
  readonly security: 'ldaps' | 'starttls' | 'none';
}

export interface LdapSettings {
  readonly servers: readonly LdapServer[];
  readonly bindDn: string;
  readonly bindPassword: string;
  readonly base: string;
  readonly scope: 'base' | 'one' | 'sub';
  readonly groupDns: readonly string[];
  readonly groupCheck: 'and' | 'or';
  readonly nestedGroups: 'off' | 'walk' | 'in_chain';
  /** Filters with placeholders. */
  readonly accountPattern: string;
  readonly groupPattern: string;
  readonly connectMs: number;
  readonly operationMs: number;
  readonly searchSeconds: number;
  readonly chaseReferrals: boolean;
  readonly debug: boolean;
  readonly tls: LdapTls;
}

export type LdapTls = Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> & {
  readonly minVersion?: SecureVersion;
  readonly rejectUnauthorized: boolean;
};

/** Matches members of members as well, on Active Directory: LDAP_MATCHING_RULE_IN_CHAIN. */
const IN_CHAIN = '(member:1.2.840.113556.1.4.1941:={user_dn})';
const DIRECT = '(|(member={user_dn})(uniqueMember={user_dn})(memberUid={username}))';
const SCOPES = { base: 'base', onelevel: 'one', subtree: 'sub' } as const;

/** Checks the arguments and reads the certificates that they name. @throws Fault `config.conflict` */
export function ldapSettings(given: Readonly<Record<string, unknown>>): LdapSettings {
  const values = readArguments('ldap', ldapArguments, withoutCache(given));
  const security = values.use_ssl ? 'ldaps' : values.use_tls ? 'starttls' : 'none';
  if (values.use_ssl && values.use_tls) throw conflict('"use_ssl" and "use_tls" exclude each other');
  if (!/^[A-Za-z][A-Za-z0-9.;-]*$/.test(values.id_attr)) {
    throw conflict(`"id_attr": expected the name of an attribute, got "${values.id_attr}"`);
  }
  if (values.group_pattern !== null && values.nested_groups === 'in_chain') {
    throw conflict('"group_pattern" and "nested_groups": "in_chain" exclude each other, since both set the filter');
  }
  const options = clientOptions(values.client_options ?? {});
  const networkMs = values.network_timeout * SECOND_MS;
  return {
    servers: hosts(values.host).map((host) => ({
      host,
      port: values.port ?? (values.use_ssl ? 636 : 389),
      security,
    })),
    bindDn: values.bind_dn,
    bindPassword: values.bind_password,
    base: values.base_ou,
    scope: SCOPES[values.scope],
    groupDns: values.group_dns,
    groupCheck: values.group_dns_check,
    nestedGroups: values.nested_groups,
    accountPattern: filter('account_pattern', values.account_pattern ?? `(${values.id_attr}={username})`, ['username']),
    groupPattern: filter(
      'group_pattern',
      values.group_pattern ?? (values.nested_groups === 'in_chain' ? IN_CHAIN : DIRECT),
      ['user_dn', 'username'],
    ),
    connectMs: networkMs,
    operationMs: options.operationMs ?? networkMs,
    searchSeconds: options.searchSeconds ?? 0,
    chaseReferrals: values.chase_referrals,
    debug: values.debug,
    tls: { ...options.tls, ...(values.cacert === null ? {} : { ca: fileOf('cacert', values.cacert) }) },
  };
}

const conflict = (text: string) =>
  fault('config.conflict', { text: `auth.backend_kwargs of the backend ldap: ${text}` });

/** StackStorm keeps groups for two minutes, so that somebody who was removed from one can still log in. */
const CACHE_ARGUMENTS = ['cache_user_groups_response', 'cache_user_groups_cache_ttl'];

const withoutCache = (given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !CACHE_ARGUMENTS.includes(name)));

/** The arguments of StackStorm that have no effect here. */
export const ineffectiveArguments = (given: Readonly<Record<string, unknown>>): string[] =>
  CACHE_ARGUMENTS.filter((name) => given[name] !== undefined && given[name] !== null);

function hosts(text: string): string[] {
  return text.split(',').map((each) => {
    const host = each.trim().replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 || /^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/.test(host)) return host;
    throw conflict(`"host": expected names or addresses separated by commas, got "${each}"`);
  });
}

/** @throws Fault `config.conflict` for a pattern that is not a filter, or has no placeholder */
function filter(name: string, pattern: string, placeholders: readonly string[]): string {
  const expected = `a filter with ${placeholders.map((each) => `{${each}}`).join(' or ')}`;
  if (!placeholders.some((each) => pattern.includes(`{${each}}`))) {
    throw conflict(`"${name}": expected ${expected}, got "${pattern}"`);
  }
  try {
    ldapts().FilterParser.parseString(placeholders.reduce((text, each) => text.replaceAll(`{${each}}`, 'x'), pattern));
    return pattern;
  } catch (cause) {
    throw conflict(`"${name}": expected ${expected}, got "${pattern}" (${messageOf(cause)})`);
  }
}

/** @throws Fault `config.conflict` */
function fileOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw conflict(`"${name}": expected a file that can be read, got "${path}" (${messageOf(cause)})`);
  }
}
