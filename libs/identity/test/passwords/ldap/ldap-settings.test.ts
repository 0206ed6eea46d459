import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasswordBackend } from '@switchyard/identity';
import { ldapSettings } from '../../../src/passwords/ldap/ldap-settings';

const required = {
  bind_dn: 'cn=service,dc=example',
  bind_password: 'service-secret',
  base_ou: 'dc=example',
  group_dns: ['cn=operators,dc=example'],
  host: 'ldap.example',
};

const without = (name: string) => Object.fromEntries(Object.entries(required).filter(([each]) => each !== name));

describe('the arguments of the backend ldap', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ldap-settings-'));
  const pem = join(directory, 'file.pem');
  beforeAll(() => writeFileSync(pem, 'PEM'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('have the defaults of StackStorm, except that certificates are checked', () => {
    expect(ldapSettings(required)).toEqual({
      servers: [{ host: 'ldap.example', port: 389, security: 'none' }],
      bindDn: required.bind_dn,
      bindPassword: required.bind_password,
      base: 'dc=example',
      scope: 'sub',
      groupDns: required.group_dns,
      groupCheck: 'and',
      nestedGroups: 'off',
      accountPattern: '(uid={username})',
      groupPattern: '(|(member={user_dn})(uniqueMember={user_dn})(memberUid={username}))',
      connectMs: 10_000,
      operationMs: 10_000,
      searchSeconds: 0,
      chaseReferrals: false,
      debug: false,
      tls: { rejectUnauthorized: true },
    });
  });

  it('name several hosts, in any form', () => {
    const { servers } = ldapSettings({
      ...required,
      host: 'a.example, 192.0.2.1,[2001:db8::1],2001:db8::2',
      use_ssl: true,
    });
    expect(servers.map(({ host }) => host)).toEqual(['a.example', '192.0.2.1', '2001:db8::1', '2001:db8::2']);
    expect(servers[0]).toEqual({ host: 'a.example', port: 636, security: 'ldaps' });
  });

  it('set options of the client by name or number', () => {
    const client_options = {
      OPT_TIMEOUT: 2.5,
      '4': 7,
      OPT_X_TLS_CERTFILE: pem,
      '24581': pem,
      OPT_X_TLS_REQUIRE_CERT: 3,
      OPT_X_TLS_PROTOCOL_MIN: 771,
    };
    expect(
      ldapSettings({ ...required, client_options, cacert: pem, network_timeout: '3', port: '1389' }),
    ).toMatchObject({
      servers: [{ port: 1389 }],
      connectMs: 3000,
      operationMs: 2500,
      searchSeconds: 7,
      tls: {
        ca: Buffer.from('PEM'),
        cert: Buffer.from('PEM'),
        key: Buffer.from('PEM'),
        rejectUnauthorized: false,
        minVersion: 'TLSv1.2',
      },
    });
  });

  it('of StackStorm’s cache are accepted with a warning', () => {
    const warnings: unknown[] = [];
    const logger = { info: () => undefined, warn: (_: string, fields: unknown) => void warnings.push(fields) };
    createPasswordBackend('ldap', { ...required, cache_user_groups_response: true }, logger);
    expect(warnings).toEqual([{ name: 'cache_user_groups_response' }]);
  });

  it.each(Object.keys(required))('need %s', (name) => {
    expect(() => ldapSettings(without(name))).toThrow(
      new RegExp(`^Configuration: auth.backend_kwargs of the backend ldap: "${name}": expected .*, got nothing\\.$`),
    );
  });

  it.each([
    [{ bind_dns: 'x' }, '"bind_dns": expected one of the arguments bind_dn, bind_password, base_ou'],
    [{ group_dns: 'cn=x' }, '"group_dns": expected a list of DNs of groups, got "cn=x"'],
    [{ group_dns: [] }, '"group_dns": expected a list of DNs of groups, got []'],
    [{ group_dns_check: 'xor' }, '"group_dns_check": expected one of "and", "or", got "xor"'],
    [{ port: 0 }, '"port": expected a port from 1 to 65535, got 0'],
    [{ port: 'ldap' }, '"port": expected a port from 1 to 65535, got "ldap"'],
    [{ host: 'a.example:636' }, '"host": expected names or addresses separated by commas, got "a.example:636"'],
    [{ host: 'a,,b' }, '"host": expected names or addresses separated by commas, got ""'],
    [{ use_ssl: 'yes' }, '"use_ssl": expected true or false, got "yes"'],
    [{ use_ssl: true, use_tls: true }, '"use_ssl" and "use_tls" exclude each other'],
    [{ scope: 'sub' }, '"scope": expected one of "base", "onelevel", "subtree", got "sub"'],
    [{ network_timeout: 0 }, '"network_timeout": expected seconds above 0, at most 3600, got 0'],
    [{ id_attr: 'uid)(x' }, '"id_attr": expected the name of an attribute, got "uid)(x"'],
    [{ cacert: '/nowhere/ca.pem' }, '"cacert": expected a file that can be read, got "/nowhere/ca.pem" ('],
    [{ account_pattern: '(uid=x)' }, '"account_pattern": expected a filter with {username}, got "(uid=x)"'],
    [{ account_pattern: '(uid={username}' }, '"account_pattern": expected a filter with {username}, got'],
    [{ nested_groups: true }, '"nested_groups": expected one of "off", "walk", "in_chain", got true'],
    [
      { nested_groups: 'in_chain', group_pattern: '(member={user_dn})' },
      '"group_pattern" and "nested_groups": "in_chain" exclude each other',
    ],
    [{ client_options: { OPT_DEREF: 1 } }, '"client_options.OPT_DEREF": expected one of the options OPT_TIMELIMIT (4)'],
    [{ client_options: { '24582': 9 } }, '"client_options.24582": expected a number from 0 (never) to 4 (try), got 9'],
    [{ client_options: { OPT_X_TLS_KEYFILE: '/nowhere' } }, 'expected the path of a PEM file, got the error "'],
  ])('are refused when they are %j', (given, message) => {
    expect(() => ldapSettings({ ...required, ...given })).toThrow(message);
  });

  it('are refused without showing the password', () => {
    expect(() => ldapSettings({ ...required, bind_password: ['hush'] })).toThrow(
      '"bind_password": expected the password of that account, got object',
    );
  });
});
