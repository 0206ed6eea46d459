import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlatFileBackend, createPasswordBackend, type PasswordBackend } from '@switchyard/identity';
import { comparedHashes } from '../../src/passwords/flat-file-backend';

// Made with htpasswd and openssl; the password is "testp" everywhere.
const HASHES = {
  sha1: '{SHA}V1t6eZLxnehb7CTBuj61Nq3lIh4=',
  apr1: '$apr1$saltsalt$8Yd4w766vAv4YzXvvjJ3a/',
  bcrypt: '$2y$06$beucCTtSch87f02GZB5W6uDKFklmbNwq1YzD.ogbayTIBdfOd3oYC',
  sha256: '$5$saltsalt$NjkCJi2Y7ZOGBekgN1M4rnEL1Q6IZLWMCou/vYRUBxA',
  sha256rounds: '$5$rounds=2000$saltsalt$8Gaky.Z0DwZDNS8TmrxOiYf/8jyZAMgWD2E0yCRwVP/',
  sha512: '$6$saltsalt$7iA4gkJaOlxroAfo3Qz4JoY32r5VGgMgpBwopn04wgPnO8nJUznciWtRCpD3HjXxG0XJ2qgkerlBNYH96pvkk1',
};

describe('the password file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'passwords-'));
  const path = join(directory, 'htpasswd');
  const warnings: unknown[] = [];
  const logger = { info: () => undefined, warn: (_: string, fields?: unknown) => void warnings.push(fields) };
  const write = (lines: Record<string, string>) =>
    writeFileSync(path, ['# users', ...Object.entries(lines).map(([user, hash]) => `${user}:${hash}`), ''].join('\n'));
  let backend: PasswordBackend;

  beforeEach(() => {
    warnings.length = 0;
    write(HASHES);
    backend = createFlatFileBackend({ path, logger, upgradeHashes: false });
  });
  afterEach(() => backend.close?.());
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each(Object.keys(HASHES))('checks %s hashes', async (user) => {
    expect(await backend.authenticate(user, 'testp')).toBe(true);
    expect(await backend.authenticate(user, 'wrong')).toBe(false);
  });

  it('rejects unknown users', async () => {
    expect(await backend.authenticate('nobody', 'testp')).toBe(false);
    expect(await backend.authenticate('__proto__', 'testp')).toBe(false);
  });

  it('compares a wrong password with the slowest hash for every name, known or not', () => {
    const { sha1: weak, apr1: fast, sha512: usual, bcrypt } = HASHES;
    const slow = bcrypt.replace('$06$', '$10$');
    const compared = (hashes: string[], user: string) =>
      Object.values(comparedHashes(new Map(hashes.map((hash, at) => [`u${at}`, hash])), user)).filter(Boolean);
    for (const hashes of [
      [weak, fast, slow],
      [slow, usual, bcrypt],
      [fast, slow, slow, weak],
    ]) {
      for (const user of ['nobody', '__proto__', ...hashes.map((_, at) => `u${at}`)])
        expect([user, compared(hashes, user)]).toEqual([user, expect.arrayContaining([slow])]);
    }
    expect(compared([slow], 'u0')).toEqual([slow]);
    expect(compared([], 'nobody')).toEqual([]);
  });

  it('is re-read when it changes', async () => {
    expect(await backend.authenticate('late', 'testp')).toBe(false);
    write({ ...HASHES, late: HASHES.sha1 });
    expect(await backend.authenticate('late', 'testp')).toBe(true);
    write({ late: HASHES.sha1 });
    expect(await backend.authenticate('sha1', 'testp')).toBe(false);
  });

  it.each(['testp', '', '$1$abc$Bt9xJLIb3u1eWoYVmeJZt.', 'rl.3StKT.4T8M'])(
    'ignores the hash %p with a warning',
    async (hash) => {
      write({ odd: hash, sha1: HASHES.sha1 });
      expect(await backend.authenticate('odd', 'testp')).toBe(false);
      expect(await backend.authenticate('odd', hash)).toBe(false);
      expect(warnings).toEqual([{ path, line: 2, user: 'odd' }]);
    },
  );

  it('throws when it does not exist', async () => {
    const missing = createFlatFileBackend({ path: join(directory, 'none'), logger });
    await expect(missing.authenticate('ada', 'x')).rejects.toMatchObject({ code: 'auth.password-file' });
  });

  it('keeps the process responsive while slow hashes are computed', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    await Promise.all(Array.from({ length: 4 }, () => backend.authenticate('sha512', 'wrong')));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });

  it('refuses logins when too many are waiting', async () => {
    const attempts = Array.from({ length: 80 }, () => backend.authenticate('apr1', 'wrong'));
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { status: 503 } });
  });
});

describe('the configured backend', () => {
  const logger = { info: () => undefined, warn: () => undefined };

  it.each([
    ['keystone', {}, 'auth.backend = keystone is not available, the backends are: flat_file, ldap'],
    ['toString', {}, 'auth.backend = toString is not available'],
    ['flat_file', null, '"file_path": expected the path of a file, got nothing'],
  ])('is refused for %s with %p', (name, given, message) => {
    expect(() => createPasswordBackend(name, given, logger)).toThrow(message);
  });
});
