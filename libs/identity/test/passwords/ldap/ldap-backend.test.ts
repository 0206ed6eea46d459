import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasswordBackend } from '@switchyard/identity';
import { certificateAuthority, type CertificateAuthority } from '@switchyard/testkit/certificates';
import { eventually } from '@switchyard/testkit/platform';
import { missingSlapd, startSlapd, type Slapd, type SlapdOptions } from '@switchyard/testkit/slapd';
import { reasonOfUnavailable } from '../unavailable-backend';
import { groupDn, referringServer, sampleServer, secondServer, SERVICE, SUFFIX } from './sample-directory';

const missing = missingSlapd();
if (missing !== undefined && (process.env['SVC_TEST_SERVERS'] === 'required' || process.env['CI'] === 'true')) {
  throw new Error(`${missing} is needed for these tests.`);
}
if (missing !== undefined) console.warn(`Skipped: logins on an LDAP server, because ${missing} is not installed.`);
const described = missing === undefined ? describe : describe.skip;

type Given = Readonly<Record<string, unknown>>;

const arguments_ = ({ host, port }: Pick<Slapd, 'host' | 'port'>, more: Given = {}): Given => ({
  ...SERVICE,
  base_ou: SUFFIX,
  group_dns: [groupDn('operators')],
  host,
  port,
  ...more,
});

function backendWith(given: Given) {
  const lines: { message: string; fields: Given }[] = [];
  const note = (message: string, fields: Given = {}) => void lines.push({ message, fields });
  const backend = createPasswordBackend('ldap', given, { info: note, warn: note });
  return {
    lines,
    logIn: (user: string, password: string) => backend.authenticate(user, password),
    groupsOf: async (user: string) => [...((await backend.groupsOf?.(user)) ?? [])].sort(),
  };
}

const reasonOf = (login: Promise<unknown>) => reasonOfUnavailable('ldap', login);

described('the backend ldap', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ldap-backend-'));
  let authority: CertificateAuthority;
  let slapd: Slapd;
  const backend = (more: Given = {}) => backendWith(arguments_(slapd, more));

  /** Servers of one test. */
  const running: Slapd[] = [];
  afterEach(async () => void (await Promise.all(running.splice(0).map((server) => server.stop()))));
  const started = async (options: SlapdOptions) => {
    const server = await startSlapd(options);
    running.push(server);
    return server;
  };

  beforeAll(async () => {
    authority = certificateAuthority(directory);
    slapd = await startSlapd({
      ...sampleServer,
      tls: { ...authority.issue('slapd'), authority: authority.cert },
    });
  });
  afterAll(async () => {
    await slapd.stop();
    rmSync(directory, { recursive: true });
  });

  it('accepts a user who has the right password and is in the group', async () => {
    const { logIn } = backend();
    expect(await logIn('ada', 'ada-secret')).toBe(true);
    expect(await logIn('ada', 'grace-secret')).toBe(false);
    expect(await logIn('grace', 'grace-secret')).toBe(false);
    expect(await logIn('nobody', 'ada-secret')).toBe(false);
    expect(await logIn('nopassword', 'x')).toBe(false);
  });

  it('never binds without a password', async () => {
    const { logIn } = backend();
    const before = slapd.log().length;
    expect(await logIn('ada', '')).toBe(false);
    expect(await logIn('', 'ada-secret')).toBe(false);
    expect(slapd.log().slice(before)).toBe('');
  });

  it('costs the same calls for an unknown user and for a wrong password', async () => {
    const { logIn } = backend();
    const callsOf = async (user: string) => {
      const before = slapd.log().length;
      expect(await logIn(user, 'wrong')).toBe(false);
      // Lines about earlier connections may arrive late.
      const connection = await eventually(
        () => /(conn=\d+) fd=\d+ ACCEPT/.exec(slapd.log().slice(before))?.[1],
        () => 'a connection',
      );
      const lines = () =>
        slapd
          .log()
          .split('\n')
          .filter((line) => line.includes(`${connection} `));
      await eventually(
        () => lines().some((line) => line.includes('closed')),
        () => 'the end of the connection',
      );
      return lines().flatMap((line) => / op=\d+ (BIND|SRCH|RESULT tag=\d+ err=\d+)/.exec(line)?.[0] ?? []);
    };
    const known = await callsOf('ada');
    expect(await callsOf('nobody')).toEqual(known);
    expect(await callsOf('twin')).toEqual(known);
    expect(known.join()).toContain('err=49');
  });

  it.each(['*', 'a*', '*)(uid=*', 'ada)(&', 'ada)(|(uid=*', '(ada', '\\61da', 'ada\0', '\\'])(
    'searches for "%s" and nothing else',
    async (name) => {
      expect(await backend().logIn(name, 'ada-secret')).toBe(false);
    },
  );

  it('accepts names with special characters in any alphabet', async () => {
    const auditors = backend({ group_dns: [groupDn('auditors')] });
    expect(await auditors.logIn('žofie*(x)\\y', 'žofie*(x)\\y-secret')).toBe(true);
    expect(await auditors.logIn('žofie*(x)\\y', 'žofie')).toBe(false);
  });

  it('refuses a name that belongs to two entries', async () => {
    const { logIn, lines } = backend();
    expect(await logIn('twin', 'twin-secret')).toBe(false);
    expect(lines).toEqual([expect.objectContaining({ fields: { user: 'twin' } })]);
  });

  it.each([
    ['and', ['operators', 'auditors'], true],
    ['and', ['operators', 'posix'], false],
    ['or', ['operators', 'posix'], true],
    ['or', ['posix', 'staff'], false],
  ])('requires %s of the groups %j', async (group_dns_check, groups, expected) => {
    const { logIn } = backend({ group_dns_check, group_dns: groups.map(groupDn) });
    expect(await logIn('ada', 'ada-secret')).toBe(expected);
  });

  it('compares groups as names, not as texts', async () => {
    const { logIn } = backend({ group_dns: ['CN=Operators, OU=Groups , DC=example,dc=\\6frg'] });
    expect(await logIn('ada', 'ada-secret')).toBe(true);
  });

  it('finds the groups of a user by member, unique member and user name', async () => {
    const { groupsOf } = backend();
    expect(await groupsOf('ada')).toEqual([groupDn('auditors'), groupDn('operators')]);
    expect(await groupsOf('grace')).toEqual([groupDn('posix'), groupDn('staff')]);
    expect(await groupsOf('nobody')).toEqual([]);
  });

  it('follows groups to the groups that contain them, even in a cycle', async () => {
    const walking = backend({ nested_groups: 'walk', group_dns: [groupDn('company')] });
    expect(await walking.groupsOf('ada')).toEqual(['auditors', 'company', 'operators', 'staff'].map(groupDn));
    expect(await walking.groupsOf('linus')).toEqual(['egg', 'hen'].map(groupDn));
    expect(await walking.logIn('ada', 'ada-secret')).toBe(true);
    expect(await walking.logIn('linus', 'linus-secret')).toBe(false);
    expect(await backend({ group_dns: [groupDn('company')] }).logIn('ada', 'ada-secret')).toBe(false);
  });

  it('finds nested groups with the matching rule of Active Directory', async () => {
    const { groupsOf, lines } = backend({ nested_groups: 'in_chain', debug: true });
    await groupsOf('ada');
    const filters = lines.flatMap(({ fields }) => fields['filter'] ?? []);
    expect(filters).toEqual(['(uid=ada)', `(member:1.2.840.113556.1.4.1941:=uid=ada,ou=people,${SUFFIX})`]);
  });

  it('reads the attribute, the scope and the filters from the arguments', async () => {
    const people = `ou=people,${SUFFIX}`;
    const found = { group_pattern: `(&(objectClass=inetOrgPerson)(uid={username}))`, group_dns: [`uid=ada,${people}`] };
    const logIn = (more: Given) => backend({ ...found, ...more }).logIn('ada', 'ada-secret');
    expect(await logIn({ base_ou: people, scope: 'onelevel' })).toBe(true);
    expect(await logIn({ base_ou: SUFFIX, scope: 'onelevel' })).toBe(false);
    expect(await logIn({ base_ou: `uid=ada,${people}`, scope: 'base' })).toBe(true);
    expect(await logIn({ id_attr: 'cn' })).toBe(false);
    expect(await logIn({ account_pattern: '(&(sn=Person)(uid={username}))' })).toBe(true);
    expect(await logIn({ account_pattern: 'uid={username}' })).toBe(true);
    expect(await logIn({ account_pattern: '(&(sn=Nobody)(uid={username}))' })).toBe(false);
    expect(await backend({ id_attr: 'sn' }).logIn('Person', 'ada-secret')).toBe(false);
  });

  it('reports each call for the argument debug, without passwords', async () => {
    const { logIn, lines } = backend({ debug: true });
    await logIn('ada', 'ada-secret');
    await logIn('ada', 'wrong-secret');
    const text = JSON.stringify(lines);
    expect(text).not.toMatch(/-secret/);
    const ada = `uid=ada,ou=people,${SUFFIX}`;
    expect(lines.slice(0, 5).map(({ message, fields }) => [message, fields['dn'] ?? fields['dns']])).toEqual([
      ['LDAP bind.', SERVICE.bind_dn],
      ['LDAP search.', [ada]],
      ['LDAP bind.', ada],
      ['LDAP bind.', SERVICE.bind_dn],
      ['LDAP search.', [groupDn('operators'), groupDn('auditors')]],
    ]);
    expect(lines.at(-1)).toMatchObject({ message: 'LDAP bind.', fields: { dn: ada, error: expect.any(String) } });
    expect((await backendQuiet()).lines).toEqual([]);

    async function backendQuiet() {
      const quiet = backend();
      await quiet.logIn('ada', 'ada-secret');
      return quiet;
    }
  });

  it('uses TLS from the first byte with use_ssl, and checks the certificate', async () => {
    const secure = { use_ssl: true, port: slapd.tlsPort };
    expect(await backend({ ...secure, cacert: authority.cert }).logIn('ada', 'ada-secret')).toBe(true);
    expect(await backend({ ...secure, cacert: authority.cert }).logIn('ada', 'wrong')).toBe(false);
    expect(await reasonOf(backend(secure).logIn('ada', 'ada-secret'))).toMatch(/certificate/);
    const other = certificateAuthority(directory, 'other-ca').cert;
    expect(await reasonOf(backend({ ...secure, cacert: other }).logIn('ada', 'ada-secret'))).toMatch(/certificate/);
    const unchecked = { ...secure, client_options: { '24582': 0 } };
    expect(await backend(unchecked).logIn('ada', 'ada-secret')).toBe(true);
  });

  it('uses StartTLS with use_tls, and sends nothing before it', async () => {
    const secure = { use_tls: true, cacert: authority.cert };
    const before = slapd.log().length;
    expect(await backend(secure).logIn('ada', 'ada-secret')).toBe(true);
    const calls = slapd
      .log()
      .slice(before)
      .match(/EXT oid=\S+|TLS established|BIND dn="[^"]*" method/g);
    expect(calls?.slice(0, 3)).toEqual([
      'EXT oid=1.3.6.1.4.1.1466.20037',
      'TLS established',
      `BIND dn="${SERVICE.bind_dn}" method`,
    ]);
    expect(await reasonOf(backend({ use_tls: true }).logIn('ada', 'ada-secret'))).toMatch(/start TLS: .*certificate/);
    const { client_options } = { client_options: { OPT_X_TLS_PROTOCOL_MIN: 772, OPT_X_TLS_REQUIRE_CERT: 2 } };
    expect(await backend({ ...secure, client_options }).logIn('ada', 'ada-secret')).toBe(true);
  });

  it('checks that the certificate is for the host it connects to', async () => {
    const secure = { use_tls: true, cacert: authority.cert, host: 'localhost' };
    expect(await reasonOf(backend(secure).logIn('ada', 'ada-secret'))).toMatch(/Hostname\/IP does not match/);
  });

  it('is unavailable when its own account is refused', async () => {
    const { logIn } = backend({ bind_password: 'changed-secret' });
    expect(await reasonOf(logIn('ada', 'ada-secret'))).toMatch(/bind: InvalidCredentialsError/);
  });

  it('is unavailable when the base does not exist', async () => {
    expect(await reasonOf(backend({ base_ou: 'dc=nowhere' }).logIn('ada', 'ada-secret'))).not.toBe('');
  });

  it('is unavailable while the server is stopped, and works again afterwards', async () => {
    const away = await started(sampleServer);
    const { logIn } = backendWith(arguments_(away));
    expect(await logIn('ada', 'ada-secret')).toBe(true);
    await away.stop();
    expect(await reasonOf(logIn('ada', 'ada-secret'))).toMatch(/^ldap:\/\/127\.0\.0\.1:\d+: bind: .*ECONNREFUSED/);
    await started({ ...sampleServer, port: away.port });
    expect(await logIn('ada', 'ada-secret')).toBe(true);
  });

  it('tries the servers in turn, and stays with the one that responds', async () => {
    const first = await started(sampleServer);
    const second = await started({ ...sampleServer, host: '127.0.0.2', port: first.port });
    const { logIn, lines } = backendWith(arguments_(first, { host: '127.0.0.1, 127.0.0.2' }));
    const asked = (server: Slapd) => server.log().includes('uid=ada');
    expect(await logIn('ada', 'ada-secret')).toBe(true);
    expect([asked(first), asked(second)]).toEqual([true, false]);
    await first.stop();
    expect(await logIn('ada', 'ada-secret')).toBe(true);
    expect(asked(second)).toBe(true);
    expect(lines).toEqual([expect.objectContaining({ message: 'An LDAP server cannot be used.' })]);
    expect(await logIn('ada', 'wrong')).toBe(false);
    expect(lines).toHaveLength(1);
    await second.stop();
    expect(await reasonOf(logIn('ada', 'ada-secret'))).toMatch(/127\.0\.0\.2.*; .*127\.0\.0\.1/);
  });

  describe('with referrals', () => {
    let second: Slapd;
    let first: Slapd;
    const elsewhere = `ou=elsewhere,${SUFFIX}`;
    const group_dns = [`cn=inventors,${elsewhere}`];

    beforeAll(async () => {
      const tls = { ...authority.issue('second'), authority: authority.cert };
      second = await startSlapd({ ...secondServer, tls });
      first = await startSlapd({ ...referringServer(`ldap://127.0.0.1:${second.port}/${elsewhere}`), tls });
    });
    afterAll(() => Promise.all([first.stop(), second.stop()]));

    it('finds users and groups on other servers if it chases them', async () => {
      const chasing = backendWith(arguments_(first, { group_dns, chase_referrals: true }));
      expect(await chasing.logIn('hedy', 'hedy-secret')).toBe(true);
      expect(await chasing.logIn('hedy', 'wrong')).toBe(false);
      expect(await chasing.groupsOf('hedy')).toEqual(group_dns);
      expect(await backendWith(arguments_(first, { group_dns })).logIn('hedy', 'hedy-secret')).toBe(false);
    });

    it('protects the connections to them in the same way', async () => {
      const secure = { group_dns, chase_referrals: true, use_tls: true, cacert: authority.cert };
      const before = second.log().length;
      expect(await backendWith(arguments_(first, secure)).logIn('hedy', 'hedy-secret')).toBe(true);
      expect(second.log().slice(before)).toMatch(/TLS established[\s\S]*BIND dn="cn=service/);
    });

    it('is unavailable if one of them is', async () => {
      const broken = await started(referringServer(`ldap://127.0.0.1:1/${elsewhere}`));
      const { logIn } = backendWith(arguments_(broken, { chase_referrals: true }));
      expect(await reasonOf(logIn('ada', 'ada-secret'))).toMatch(/ldap:\/\/127\.0\.0\.1:1: bind: .*ECONNREFUSED/);
    });

    it('ends when they form a cycle', async () => {
      const circle = await started(referringServer((port) => `ldap://127.0.0.1:${port}/${SUFFIX}??sub`));
      const { logIn } = backendWith(arguments_(circle, { chase_referrals: true }));
      expect(await logIn('ada', 'ada-secret')).toBe(true);
      expect(await logIn('hedy', 'hedy-secret')).toBe(false);
    });
  });

  describe('with a server that does not respond', () => {
    let silent: Server;
    const sockets: Socket[] = [];
    /** What it sends for the first request. */
    let answer: ((request: Buffer) => Buffer) | undefined;

    beforeAll(async () => {
      silent = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.once('data', (request) => answer && socket.write(answer(request)));
      });
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
    });
    afterAll(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
      await once(silent, 'close');
    });
    const port = () => (silent.address() as AddressInfo).port;

    it.each([
      ['a bind', {}, /bind: .*timed out/],
      ['the beginning of TLS', { use_ssl: true }, /bind: Connection timeout/],
      ['StartTLS', { use_tls: true }, /start TLS: .*timed out/],
    ])('gives up after network_timeout in %s', async (_title, more, reason) => {
      answer = undefined;
      const { logIn } = backend({ port: port(), network_timeout: 0.2, ...more });
      expect(await reasonOf(logIn('ada', 'ada-secret'))).toMatch(reason);
    });

    it('gives up after network_timeout in the handshake after StartTLS', async () => {
      // The success of the extended operation, for the id of the request.
      answer = (request) => Buffer.from([0x30, 12, 2, 1, request[4] ?? 0, 0x78, 7, 0x0a, 1, 0, 4, 0, 4, 0]);
      const { logIn } = backend({ port: port(), network_timeout: 0.2, use_tls: true });
      expect(await reasonOf(logIn('ada', 'ada-secret'))).toMatch(/start TLS: the TLS handshake took too long/);
    });
  });
});
