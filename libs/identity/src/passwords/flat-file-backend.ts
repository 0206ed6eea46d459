import type { Logger } from '@switchyard/telemetry';
import { hashThreads } from './hash-threads';
import type { PasswordBackend } from './password-backend';
import { passwordFile } from './password-file';
import { hashKind, matchesSha1 } from './password-hash';

export interface FlatFileOptions {
  /** An htpasswd file: lines of `user:hash`. */
  readonly path: string;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Passwords from an htpasswd file, which may change at any time. Accepted hashes: bcrypt, apr1 (MD5 in a thousand
 * rounds), SHA-256 and SHA-512 crypt, and `{SHA}`. Slow ones are computed in threads of their own.
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
      // An unknown user costs as much time as a known one, so that the time does not tell them apart.
      const [decoy] = entries.values();
      if (decoy !== undefined) await matches(password, decoy);
      return false;
    },
    close: () => threads.close(),
  };
}
