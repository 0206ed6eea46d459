import { readFile, stat } from 'node:fs/promises';
import { fault, messageOf } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import { hashThreads } from './hash-threads';
import type { PasswordBackend } from './password-backend';
import { hashKind, matchesSha1 } from './password-hash';

export interface FlatFileOptions {
  /** An htpasswd file: lines of `user:hash`. */
  readonly path: string;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Checks passwords against an htpasswd file, which may change at any time. Accepts bcrypt, apr1 (MD5 in a thousand
 * rounds), SHA-256 and SHA-512 crypt, and `{SHA}`. Slow hashes are computed in worker threads.
 */
export function createFlatFileBackend({ path, logger }: FlatFileOptions): PasswordBackend {
  const file = passwordFile(path, logger);
  const threads = hashThreads();
  const matches = (password: string, hash: string) => {
    const kind = hashKind(hash);
    if (kind === undefined) return Promise.resolve(false);
    return kind === 'sha1' ? Promise.resolve(matchesSha1(password, hash)) : threads.matches(kind, password, hash);
  };
  return {
    async authenticate(user, password) {
      const entries = await file.read();
      const hash = entries.get(user);
      if (hash !== undefined) return matches(password, hash);
      // Check a decoy, so that response time does not reveal whether a user exists.
      const [decoy] = entries.values();
      if (decoy !== undefined) await matches(password, decoy);
      return false;
    },
    close: () => threads.close(),
  };
}

/** User name to hash. Lines with an unsupported hash are left out. */
export type PasswordEntries = ReadonlyMap<string, string>;

/**
 * Reads an htpasswd file. Each `read` checks its time, size and inode, and reads it again if they changed. Lines with an
 * unsupported hash are skipped with a warning.
 */
function passwordFile(path: string, logger: Pick<Logger, 'warn'>): { read(): Promise<PasswordEntries> } {
  let seen = '';
  let entries: PasswordEntries = new Map();
  return {
    async read() {
      try {
        const { mtimeMs, size, ino } = await stat(path);
        const state = `${mtimeMs}/${size}/${ino}`;
        if (state !== seen) {
          entries = parse(await readFile(path, 'utf8'), (line, user) =>
            logger.warn('Ignoring a line of the password file without a supported hash.', { path, line, user }),
          );
          seen = state;
        }
        return entries;
      } catch (error) {
        throw fault('auth.password-file', { path, text: messageOf(error) }, { cause: error });
      }
    },
  };
}

function parse(text: string, refuse: (line: number, user: string) => void): PasswordEntries {
  const entries = new Map<string, string>();
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    const user = line.slice(0, Math.max(colon, 0));
    const hash = line.slice(colon + 1);
    if (user !== '' && hashKind(hash)) entries.set(user, hash);
    else refuse(index + 1, user);
  }
  return entries;
}
