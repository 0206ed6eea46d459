import { createHash } from 'node:crypto';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlatFileBackend, type PasswordBackend } from '@switchyard/identity';

// Made with htpasswd and openssl; the password is "testp" everywhere.
const WEAK = {
  sha1: '{SHA}V1t6eZLxnehb7CTBuj61Nq3lIh4=',
  apr1: '$apr1$saltsalt$8Yd4w766vAv4YzXvvjJ3a/',
  bcrypt: '$2y$06$beucCTtSch87f02GZB5W6uDKFklmbNwq1YzD.ogbayTIBdfOd3oYC',
  sha256: '$5$saltsalt$NjkCJi2Y7ZOGBekgN1M4rnEL1Q6IZLWMCou/vYRUBxA',
  sha512: '$6$saltsalt$7iA4gkJaOlxroAfo3Qz4JoY32r5VGgMgpBwopn04wgPnO8nJUznciWtRCpD3HjXxG0XJ2qgkerlBNYH96pvkk1',
};
const CURRENT = /^\$2[aby]\$10\$/;
const CONTENT = `# users\n\n${Object.entries(WEAK)
  .map(([user, hash]) => `${user}:${hash}\n`)
  .join('')}odd:plain text\n`;

let directory: string;
let path: string;
let log: [string, Record<string, unknown>][];
const backends: PasswordBackend[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'passwords-'));
  path = join(directory, 'htpasswd');
  writeFileSync(path, CONTENT, { mode: 0o640 });
  log = [];
});
afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close?.();
  rmSync(directory, { recursive: true });
});

function opened(file = path): PasswordBackend {
  const kept = (text: string, fields?: object) => void log.push([text, { ...fields }]);
  const backend = createFlatFileBackend({ path: file, logger: { info: kept, warn: kept } });
  backends.push(backend);
  return backend;
}
const hashes = (): Record<string, string> =>
  Object.fromEntries(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );

describe('a login', () => {
  it.each(Object.keys(WEAK))('replaces a hash of the kind %s, and nothing else', async (user) => {
    const backend = opened();
    expect(await backend.authenticate(user, 'testp')).toBe(true);
    const fresh = hashes()[user] ?? '';
    expect(fresh).toMatch(CURRENT);
    expect(readFileSync(path, 'utf8')).toBe(CONTENT.replace(WEAK[user as keyof typeof WEAK], fresh));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(directory)).toEqual(['htpasswd']);
    expect(await backend.authenticate(user, 'testp')).toBe(true);
    expect(await backend.authenticate(user, 'wrong')).toBe(false);
    expect(hashes()[user]).toBe(fresh);
    expect(JSON.stringify(log)).not.toContain('testp');
  });

  it('with a wrong password, or of an unknown user, changes nothing', async () => {
    const backend = opened();
    expect([await backend.authenticate('sha1', 'wrong'), await backend.authenticate('eve', 'testp')]).toEqual([
      false,
      false,
    ]);
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
  });

  it('at the same time as others loses no line, in one process or in two', async () => {
    const [one, two] = [opened(), opened()];
    const logins = Object.keys(WEAK).flatMap((user) => [one, two].map((each) => each.authenticate(user, 'testp')));
    expect(await Promise.all(logins)).toEqual(logins.map(() => true));
    expect(Object.keys(hashes())).toEqual([...Object.keys(WEAK), 'odd']);
    // A hash that the other process was changing is upgraded at the next login.
    for (const user of Object.keys(WEAK)) await one.authenticate(user, 'testp');
    const { odd: _, ...upgraded } = hashes();
    for (const hash of Object.values(upgraded)) expect(hash).toMatch(CURRENT);
    expect(readdirSync(directory)).toEqual(['htpasswd']);
  });

  it('writes through a link and keeps the link', async () => {
    const link = join(directory, 'link');
    symlinkSync(path, link);
    expect(await opened(link).authenticate('sha1', 'testp')).toBe(true);
    expect(hashes()['sha1']).toMatch(CURRENT);
    expect(readFileSync(link, 'utf8')).toBe(readFileSync(path, 'utf8'));
  });

  it('succeeds when the file cannot be written, and warns once', async () => {
    // A name that is too long with the suffix of the temporary file, so that even root cannot create it.
    const long = join(directory, 'x'.repeat(252));
    writeFileSync(long, CONTENT);
    const backend = opened(long);
    for (const user of ['sha1', 'apr1', 'sha1']) expect(await backend.authenticate(user, 'testp')).toBe(true);
    expect(readFileSync(long, 'utf8')).toBe(CONTENT);
    const warnings = log.filter(([text]) => text === 'Cannot upgrade the hashes in the password file.');
    expect(warnings).toMatchObject([[expect.anything(), { path: long }]]);
  });

  it('does not write the file while another process changes it, unless that process died', async () => {
    const lock = `${path}.lock`;
    writeFileSync(lock, '');
    const backend = opened();
    expect(await backend.authenticate('sha1', 'testp')).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
    utimesSync(lock, 1, 1);
    expect(await backend.authenticate('sha1', 'testp')).toBe(true);
    expect(hashes()['sha1']).toMatch(CURRENT);
  });

  it('keeps the hash of a password that bcrypt would truncate', async () => {
    const password = 'p'.repeat(73);
    writeFileSync(path, `long:{SHA}${createHash('sha1').update(password).digest('base64')}\n`);
    expect(await opened().authenticate('long', password)).toBe(true);
    expect(hashes()['long']).toMatch(/^\{SHA\}/);
  });

  it('of a disabled user fails, without a warning', async () => {
    writeFileSync(path, `sha1:!${WEAK.sha1}\n`);
    expect(await opened().authenticate('sha1', 'testp')).toBe(false);
    expect(log).toEqual([]);
  });
});
