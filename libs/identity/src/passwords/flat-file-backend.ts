import { readFile, stat } from 'node:fs/promises';
import { fault, isFault, messageOf } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import { hashThreads } from './hash-threads';
import type { PasswordBackend } from './password-backend';
import { changePasswordFile, passwordFileState, passwordLine, readPasswordLines } from './password-file';
import { canBeHashed, hashKind, isCurrentHash, matchesSha1 } from './password-hash';

export interface FlatFileOptions {
  /** An htpasswd file: lines of `user:hash`. */
  readonly path: string;
  /** Whether a login replaces a hash that is weaker than new ones. Default: true. */
  readonly upgradeHashes?: boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Checks passwords against an htpasswd file, which may change at any time. Accepts bcrypt, apr1 (MD5 in a thousand
 * rounds), SHA-256 and SHA-512 crypt, and `{SHA}`. Slow hashes are computed in worker threads.
 */
export function createFlatFileBackend({ path, upgradeHashes = true, logger }: FlatFileOptions): PasswordBackend {
  const file = passwordFile(path, logger);
  const threads = hashThreads();
  const upgrade = hashUpgrade(path, (password) => threads.hash(password), logger);
  const matches = (password: string, hash: string) => {
    const kind = hashKind(hash);
    if (kind === undefined) return Promise.resolve(false);
    return kind === 'sha1' ? Promise.resolve(matchesSha1(password, hash)) : threads.matches(kind, password, hash);
  };
  return {
    async authenticate(user, password) {
      const entries = await file.read();
      const { own, decoy } = comparedHashes(entries, user);
      const right = own !== undefined && (await matches(password, own));
      if (right && upgradeHashes) await upgrade(user, password, own);
      if (!right && decoy !== undefined) await matches(password, decoy);
      return right;
    },
    close: () => threads.close(),
  };
}

/**
 * The hashes with which a wrong password is compared. The slowest of them takes the same time for every name, so that
 * the time of a login does not reveal which users exist.
 * @returns `decoy` if the user has no hash, or a faster one than others
 */
export function comparedHashes(
  entries: PasswordEntries,
  user: string,
): { readonly own: string | undefined; readonly decoy: string | undefined } {
  const own = entries.get(user);
  let decoy: string | undefined;
  for (const hash of entries.values()) if (decoy === undefined || slowness(hash) > slowness(decoy)) decoy = hash;
  const isSlowest = own !== undefined && decoy !== undefined && slowness(own) >= slowness(decoy);
  return { own, decoy: isSlowest ? undefined : decoy };
}

const USUAL_ROUNDS = 5000;
/** The number of SHA-2 rounds that take as long as one bcrypt round. */
const ROUNDS_OF_BCRYPT = 50;

/** How long a comparison takes, in rounds of bcrypt. */
function slowness(hash: string): number {
  const kind = hashKind(hash);
  if (kind === 'bcrypt') return 2 ** Number(hash.split('$')[2]);
  if (kind !== 'sha256-crypt' && kind !== 'sha512-crypt') return 0;
  return Number(/\$rounds=(\d+)\$/.exec(hash)?.[1] ?? USUAL_ROUNDS) / ROUNDS_OF_BCRYPT;
}

/**
 * Replaces an outdated hash after a login with the correct password. The login succeeds in any case; a file that cannot
 * be written is logged once.
 */
function hashUpgrade(
  path: string,
  hashed: (password: string) => Promise<string>,
  logger: Pick<Logger, 'info' | 'warn'>,
): (user: string, password: string, old: string) => Promise<void> {
  let isWarned = false;
  let last: Promise<unknown> = Promise.resolve();
  const replace = async (user: string, password: string, old: string) => {
    const fresh = await hashed(password);
    const written = await changePasswordFile(path, (lines) => {
      // The password may have been changed since it was checked.
      const isOld = (line: (typeof lines)[number]) => line.user === user && line.hash === old && !line.disabled;
      return lines.some(isOld) ? lines.map((line) => (isOld(line) ? passwordLine(user, fresh) : line)) : undefined;
    });
    if (written) logger.info('Upgraded the hash of a password.', { user });
  };
  return async (user, password, old) => {
    if (isWarned || isCurrentHash(old) || !canBeHashed(password)) return;
    // Logins of one process take turns. If another process writes now, the next login tries again.
    const mine = last.then(() => replace(user, password, old));
    last = mine.catch(() => undefined);
    try {
      await mine;
    } catch (error) {
      if (isFault(error) && error.code !== 'auth.password-file-write') return;
      isWarned = true;
      logger.warn('Cannot upgrade the hashes in the password file.', { path, error });
    }
  };
}

/** User name to hash. Lines with an unsupported hash are left out. */
export type PasswordEntries = ReadonlyMap<string, string>;

/**
 * Reads an htpasswd file. Each `read` checks its time, size and inode, and reads it again if they changed. Lines with an
 * unsupported hash are skipped with a warning, those of disabled users without one.
 */
function passwordFile(path: string, logger: Pick<Logger, 'warn'>): { read(): Promise<PasswordEntries> } {
  let seen = '';
  let entries: PasswordEntries = new Map();
  return {
    async read() {
      try {
        const state = passwordFileState(await stat(path));
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
  for (const [index, { user, hash = '', disabled }] of readPasswordLines(text).entries()) {
    if (user === undefined || disabled) continue;
    if (user !== '' && hashKind(hash)) entries.set(user, hash);
    else refuse(index + 1, user);
  }
  return entries;
}
