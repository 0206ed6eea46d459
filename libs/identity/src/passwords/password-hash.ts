import { createHash, timingSafeEqual } from 'node:crypto';

const KINDS = [
  { kind: 'bcrypt', pattern: /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/ },
  { kind: 'apache-md5', pattern: /^\$apr1\$[^$]{1,8}\$[./A-Za-z0-9]{22}$/ },
  { kind: 'sha256-crypt', pattern: /^\$5\$(rounds=\d+\$)?[^$]{1,16}\$[./A-Za-z0-9]{43}$/ },
  { kind: 'sha512-crypt', pattern: /^\$6\$(rounds=\d+\$)?[^$]{1,16}\$[./A-Za-z0-9]{86}$/ },
  { kind: 'sha1', pattern: /^\{SHA\}[A-Za-z0-9+/]{27}=$/ },
] as const;

export type HashKind = (typeof KINDS)[number]['kind'];

/** @returns undefined for an unsupported hash, such as plain text */
export const hashKind = (hash: string): HashKind | undefined => KINDS.find(({ pattern }) => pattern.test(hash))?.kind;

/** `{SHA}` is one round of SHA-1, fast enough for the main thread. Compares in constant time. */
export function matchesSha1(password: string, hash: string): boolean {
  const given = createHash('sha1').update(password).digest();
  const stored = Buffer.from(hash.slice('{SHA}'.length), 'base64');
  return given.length === stored.length && timingSafeEqual(given, stored);
}

/** The cost of new bcrypt hashes: 2 to the power of this many rounds. */
export const BCRYPT_ROUNDS = 10;

/** bcrypt ignores the bytes after these. */
const LONGEST_BYTES = 72;

/** Whether bcrypt uses the whole password. */
export const canBeHashed = (password: string): boolean =>
  Buffer.byteLength(password) <= LONGEST_BYTES && !password.includes('\0');

/** Whether a hash is at least as strong as new ones. */
export const isCurrentHash = (hash: string): boolean =>
  hashKind(hash) === 'bcrypt' && Number(hash.split('$')[2]) >= BCRYPT_ROUNDS;

/** Returns a bcrypt hash for a password file. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('bcryptjs');
  return hash(password, BCRYPT_ROUNDS);
}
