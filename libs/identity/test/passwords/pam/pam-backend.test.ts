import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasswordBackend, type PasswordBackend } from '@switchyard/identity';
import { isRunning, processIdentity } from '@switchyard/subprocess';
import { isInstalled } from '@switchyard/testkit/needed-programs';
import { changeAccounts, missingForPam, temporaryAccounts } from '@switchyard/testkit/system-account';
import { createPamBackend, type PamMachine } from '../../../src/passwords/pam/pam-backend';
import { reasonOfUnavailable } from '../unavailable-backend';

const missing = missingForPam();
if (missing !== undefined && (process.env['SVC_TEST_SERVERS'] === 'required' || process.env['CI'] === 'true')) {
  throw new Error(`${missing} is needed for these tests.`);
}
if (missing !== undefined) console.warn(`Skipped: logins with PAM, because this machine lacks ${missing}.`);
const described = missing === undefined ? describe : describe.skip;

type Given = Readonly<Record<string, unknown>>;
const PASSWORD = 'päss "wörd" \\ $HOME `id`';
/** Like the rules of the machine, without the delay after a wrong password. */
const RULES = ['auth required pam_unix.so nodelay nullok', 'account required pam_unix.so'];

described('the backend pam', () => {
  const temporary = temporaryAccounts();
  const backends: PasswordBackend[] = [];
  const lines: unknown[] = [];
  const logger = { info: (_: string, fields?: unknown) => void lines.push(fields) };
  let service: string;
  let group: string;
  let user: string;

  beforeAll(() => {
    service = temporary.service(...RULES).name;
    group = temporary.group();
    user = temporary.account(PASSWORD, [group]);
  });
  beforeEach(() => void lines.splice(0));
  afterEach(async () => void (await Promise.all(backends.splice(0).map(async (made) => made.close?.()))));
  afterAll(() => temporary.remove());

  const backend = (given: Given = {}, machine?: PamMachine): PasswordBackend => {
    const made = createPamBackend({ service, ...given }, logger, machine);
    backends.push(made);
    return made;
  };
  const reasonOf = (login: Promise<unknown>) => reasonOfUnavailable('pam', login);

  it('accepts users who have the right password by the rules of login, and nobody else', async () => {
    const made = createPasswordBackend('pam', null, { ...logger, warn: () => undefined });
    backends.push(made);
    expect(await Promise.all([PASSWORD, 'wrong'].map((given) => made.authenticate(user, given)))).toEqual([
      true,
      false,
    ]);
    expect(lines).toEqual([{ user, service: 'login', reason: 'Authentication failure' }]);
  });

  it('refuses a locked account, and accepts it once it is unlocked', async () => {
    const { authenticate } = backend();
    changeAccounts('usermod', ['--lock', user]);
    expect(await authenticate(user, PASSWORD)).toBe(false);
    changeAccounts('usermod', ['--unlock', user]);
    expect(await authenticate(user, PASSWORD)).toBe(true);
  });

  it.each([
    ['an account that has expired', ['--expiredate', '0'], ['--expiredate', '-1'], 'User account has expired'],
    [
      'a password that has to be changed',
      ['--lastday', '0'],
      ['--lastday', '-1'],
      'Authentication token is no longer valid; new one required',
    ],
  ])('refuses %s, and logs why', async (_, before, after, reason) => {
    const { authenticate } = backend();
    changeAccounts('chage', [...before, user]);
    expect(await authenticate(user, PASSWORD)).toBe(false);
    changeAccounts('chage', [...after, user]);
    expect(await authenticate(user, PASSWORD)).toBe(true);
    expect(lines).toEqual([{ user, service, reason }]);
  });

  it('refuses an account without a password, whatever password is given', async () => {
    const open = temporary.account('');
    changeAccounts('passwd', ['--delete', open]);
    const { authenticate } = backend();
    expect(await authenticate(open, 'anything')).toBe(false);
    expect(await authenticate(open, '')).toBe(false);
  });

  it.each(['nobody-has-this-name', '../root', '-x', 'a b', '*', '$(id)', "'", 'žofie', '\n', 'root\nroot', '😀'])(
    'refuses the name %j',
    async (name) => {
      expect(await backend().authenticate(name, PASSWORD)).toBe(false);
    },
  );

  it('does not pass empty texts to PAM, nor texts with a NUL, of which PAM would see only the beginning', async () => {
    const { authenticate, groupsOf } = backend();
    const refused = [
      [user, ''],
      ['', PASSWORD],
      [user, `${PASSWORD}\0`],
      [`${user}\0x`, PASSWORD],
    ] as const;
    for (const [name, password] of refused) expect(await authenticate(name, password)).toBe(false);
    expect(await groupsOf?.(`${user}\0x`)).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('reports the groups of an account', async () => {
    const { groupsOf } = backend();
    expect([...((await groupsOf?.(user)) ?? [])].sort()).toEqual([group, user].sort());
    expect(await groupsOf?.('nobody-has-this-name')).toEqual([]);
  });

  it('refuses every login when its service has been removed, although PAM has rules for other services', async () => {
    const { name, remove } = temporary.service(...RULES);
    const { authenticate } = backend({ service: name });
    expect(await authenticate(user, PASSWORD)).toBe(true);
    remove();
    expect(await reasonOf(authenticate(user, PASSWORD))).toContain(`the PAM service ${name} has no file in`);
  });

  it.each([
    ['does not ask for a password', ['auth sufficient pam_permit.so'], 'does not ask root for a password'],
    ['names a module that does not exist', ['auth required pam_nowhere.so'], 'Module is unknown'],
    [
      'cannot reach its data source',
      ['auth [default=die] pam_debug.so auth=authinfo_unavail'],
      'retrieve authentication info',
    ],
  ])('refuses every login when the service %s', async (_, rules, reason) => {
    const { name } = temporary.service(...rules, 'account required pam_permit.so');
    expect(await reasonOf(backend({ service: name }).authenticate(user, PASSWORD))).toContain(reason);
  });

  describe('with a slow module', () => {
    let directory: string;
    let seen: string;
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), 'pam-backend-'));
      seen = join(directory, 'seen');
    });
    afterAll(() => rmSync(directory, { recursive: true }));
    const slowService = () => {
      const script = join(directory, 'slow');
      const rows = [
        '#!/bin/sh',
        `tr '\\0' '\\n' < /proc/$PPID/environ > ${seen}`,
        `tr '\\0' ' ' < /proc/$PPID/cmdline >> ${seen}`,
        `printf '\\npid %s' $$ >> ${seen}`,
        'exec sleep 60',
      ];
      writeFileSync(script, rows.join('\n'), { mode: 0o700 });
      return temporary.service(`auth required pam_exec.so ${script}`).name;
    };

    it('gives up after the time limit, leaves no process, and shows no password in process lists', async () => {
      const { authenticate } = backend({ service: slowService(), timeout: '0.7' });
      expect(await reasonOf(authenticate(user, PASSWORD))).toBe('PAM did not respond within 0.7 seconds');
      const shown = readFileSync(seen, 'utf8');
      expect(shown).toContain('check_pam.py');
      expect(shown).not.toContain('wörd');
      expect(shown).not.toContain(user);
      const pid = Number(/^pid (\d+)$/m.exec(shown)?.[1]);
      expect(pid).toBeGreaterThan(0);
      expect(isRunning(processIdentity(pid))).toBe(false);
    });

    it('checks eight logins at once, refuses more, and ends them when it closes', async () => {
      const { authenticate, close } = backend({ service: slowService() });
      const logins = Array.from({ length: 8 }, () => reasonOf(authenticate(user, PASSWORD)));
      await expect(authenticate(user, PASSWORD)).rejects.toMatchObject({ code: 'auth.busy', status: 503 });
      await close?.();
      expect(new Set(await Promise.all(logins))).toEqual(new Set(['check_pam.py ended with SIGTERM without a result']));
    });
  });
});

describe('the start with the backend pam', () => {
  const logger = { info: () => undefined };
  const machine: PamMachine = { isRoot: true, python: 'python3', library: 'libpam.so.0' };
  const start = (given: Given, differing: Partial<PamMachine>) => () =>
    createPamBackend(given, logger, { ...machine, ...differing });

  const cases: [name: string, differing: Partial<PamMachine>, reason: string][] = [
    [
      'without root',
      { isRoot: false },
      'it must run as root, because only root may check the passwords of other users',
    ],
    ['without Python', { python: 'python3-nowhere' }, 'python3-nowhere is missing; install Python 3'],
  ];
  if (isInstalled('python3', 'tests of missing PAM'))
    cases.push(['without PAM', { library: 'libpam-nowhere.so.0' }, 'libpam-nowhere.so.0 is missing; install PAM']);
  it.each(cases)('is refused %s', (_, differing, reason) => {
    expect(start({}, differing)).toThrow(`auth.backend = pam cannot be used: ${reason}`);
  });

  it.each([
    [{ service: '../login' }, '"service": expected the name of a file in /etc/pam.d, in lower case, got "../login"'],
    [{ service: 'Login' }, '"service": expected the name of a file in /etc/pam.d, in lower case, got "Login"'],
    [{ timeout: 0 }, '"timeout": expected seconds above 0, at most 3600, got 0'],
    [{ user: 'ada' }, '"user": expected one of the arguments service, timeout, got an unknown name'],
  ])('is refused with the arguments %j', (given, message) => {
    expect(start(given, {})).toThrow(`auth.backend_kwargs of the backend pam: ${message}`);
  });

  it('is refused with a service that does not exist', () => {
    const refusal =
      missing === undefined ? 'the PAM service nowhere has no file in' : 'auth.backend = pam cannot be used';
    expect(start({ service: 'nowhere' }, {})).toThrow(refusal);
  });
});
