import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlatFileBackend } from '@switchyard/identity';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';

let base: string;
let path: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'svc-user-'));
  path = join(base, 'htpasswd');
});
afterEach(() => rmSync(base, { recursive: true }));

const user = (words: readonly string[], input = '') =>
  svc(['user', ...words, '--data-dir', base], { HOME: '/nowhere' }, input);
const created = async (name: string, password = 'sesame') => {
  const { code, stderr } = await user(['create', name], `${password}\n`);
  expect([code, stderr]).toEqual([0, '']);
};
async function logsIn(name: string, password: string): Promise<boolean> {
  const warned: string[] = [];
  const logger = { info: () => undefined, warn: (text: string) => void warned.push(text) };
  const backend = createFlatFileBackend({ path, logger });
  try {
    return await backend.authenticate(name, password);
  } finally {
    await backend.close?.();
    expect(warned).toEqual([]);
  }
}

describe('svc user', () => {
  it('creates users in a file that only its owner can read', async () => {
    await created('ada');
    await created('bob', 'open sesame: ü');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect([await logsIn('ada', 'sesame'), await logsIn('bob', 'open sesame: ü')]).toEqual([true, true]);
    expect(await logsIn('ada', 'open sesame: ü')).toBe(false);
    expect(readFileSync(path, 'utf8')).toMatch(/^ada:\$2b\$10\$\S+\nbob:\$2b\$10\$\S+\n$/);
  });

  it('lists users without their hashes', async () => {
    writeFileSync(path, '# ours\nodd:plain\nold:{SHA}V1t6eZLxnehb7CTBuj61Nq3lIh4=\n');
    await created('ada');
    await user(['disable', 'ada']);
    const { code, stdout } = await user(['list', '-j']);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      [
        { user: 'odd', enabled: true, hash: 'unsupported' },
        { user: 'old', enabled: true, hash: 'sha1' },
        { user: 'ada', enabled: false, hash: 'bcrypt' },
      ],
    ]);
  });

  it('lists nothing without a file', async () => {
    const { code, stdout, stderr } = await user(['list']);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`There is no password file at ${path}.`)]);
  });

  it('replaces a password and notes that tokens stay valid', async () => {
    await created('ada');
    const { code, stdout, stderr } = await user(['set-password', 'ada'], 'other\n');
    expect([code, stdout]).toEqual([0, `Changed the password of "ada" in ${path}.\n`]);
    expect(stderr).toContain('svc token revoke --all --user ada');
    expect([await logsIn('ada', 'other'), await logsIn('ada', 'sesame')]).toEqual([true, false]);
  });

  it('disables and enables a user without changing the password; a new password does not enable a user', async () => {
    await created('ada');
    expect((await user(['disable', 'ada'])).code).toBe(0);
    expect(await logsIn('ada', 'sesame')).toBe(false);
    expect((await user(['set-password', 'ada'], 'other\n')).code).toBe(0);
    expect(await logsIn('ada', 'other')).toBe(false);
    expect((await user(['enable', 'ada'])).code).toBe(0);
    expect(await logsIn('ada', 'other')).toBe(true);
  });

  it('deletes a user and leaves the other lines', async () => {
    writeFileSync(path, '# ours\nold:{SHA}V1t6eZLxnehb7CTBuj61Nq3lIh4=\n', { mode: 0o640 });
    await created('ada');
    expect((await user(['delete', 'ada'])).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('# ours\nold:{SHA}V1t6eZLxnehb7CTBuj61Nq3lIh4=\n');
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('keeps all users that are created concurrently, except rejected ones', async () => {
    const names = ['ada', 'bob', 'eve'];
    const codes = (await Promise.all(names.map((name) => user(['create', name], 'sesame\n')))).map(({ code }) => code);
    const { stdout } = await user(['list', '-j']);
    const there = (JSON.parse(stdout) as { user: string }[]).map((each) => each.user).sort();
    expect(there).toEqual(names.filter((_, index) => codes[index] === 0));
    expect(there.length).toBeGreaterThan(0);
  });

  it('uses the configured file, or the one given with --file', async () => {
    const [configured, named] = [join(base, 'configured'), join(base, 'named')];
    const config = join(base, 'svc.conf');
    writeFileSync(config, `[auth]\nbackend_kwargs = {"file_path": "${configured}"}\n`);
    const env = { HOME: '/nowhere', SVC_CONFIG_PATH: config };
    expect((await svc(['user', 'create', 'ada'], env, 'sesame\n')).code).toBe(0);
    expect((await svc(['user', 'create', 'bob', '--file', named], env, 'sesame\n')).code).toBe(0);
    expect([readFileSync(configured, 'utf8'), readFileSync(named, 'utf8')]).toEqual([
      expect.stringMatching(/^ada:/),
      expect.stringMatching(/^bob:/),
    ]);
    writeFileSync(config, '[auth]\nbackend = ldap\nbackend_kwargs = {}\n');
    const { code, stderr } = await svc(['user', 'list'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('auth.backend = ldap')]);
  });

  it.each([
    [['create', 'ada'], 'other\n', 1, 'The user "ada" exists already'],
    [['set-password', 'eve'], 'other\n', 1, 'There is no user "eve"'],
    [['delete', 'eve'], '', 1, 'There is no user "eve"'],
    [['disable', ''], '', 1, 'There is no user ""'],
    [['create', 'e:ve'], 'other\n', 2, 'Expected a name without colons'],
    [['create', '#eve'], 'other\n', 2, 'does not start with #'],
    [['create', 'e\nve'], 'other\n', 2, 'control characters'],
    [['create', 'eve'], '\n', 2, 'The password is empty.'],
    [['create', 'eve'], '', 2, 'No password was given.'],
    [['create', 'eve'], `${'p'.repeat(73)}\n`, 2, 'longer than 72 bytes'],
  ])('refuses %j with the input %j', async (words, input, code, message) => {
    await created('ada');
    const before = readFileSync(path, 'utf8');
    const refused = await user(words, input);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([code, '', expect.stringContaining(message)]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});

describe('svc user with --revoke-tokens', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startServer();
    await created('ada');
  });
  afterEach(() => server.close());

  const withApi = (words: readonly string[], input = '') =>
    svc(
      ['user', ...words, '--revoke-tokens', '--data-dir', base],
      { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_URL: server.url, SVC_AUTH_TOKEN: 'given' },
      input,
    );

  it.each([
    [['delete', 'ada'], ''],
    [['disable', 'ada'], ''],
    [['set-password', 'ada'], 'other\n'],
  ])('changes the file, then revokes all tokens (%j)', async (words, input) => {
    let couldLogIn: boolean | undefined;
    server.on('DELETE /issued_tokens', async () => {
      couldLogIn = await logsIn('ada', 'sesame');
      return { body: { revoked: 2 } };
    });
    const { code, stderr } = await withApi(words, input);
    expect([code, stderr, couldLogIn]).toEqual([0, 'Revoked 2 tokens of "ada".\n', false]);
    expect(server.seen[0]?.query.get('user')).toBe('ada');
  });

  it('fails if they cannot be revoked, and reports the change that was made', async () => {
    server.on('DELETE /issued_tokens', () => ({ status: 403, body: { faultstring: 'Administrator access required' } }));
    const { code, stdout, stderr } = await withApi(['disable', 'ada']);
    expect([code, stdout]).toEqual([1, `Disabled "ada" in ${path}.\n`]);
    expect(stderr).toContain('they stay valid: Administrator access required');
    expect(stderr).toContain('svc token revoke --all --user ada');
    expect(await logsIn('ada', 'sesame')).toBe(false);
  });

  it('does not exist for changes after which users can still log in', async () => {
    const { code, stderr } = await withApi(['enable', 'ada']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("unknown option '--revoke-tokens'")]);
  });
});
