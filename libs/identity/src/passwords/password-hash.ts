import { createHash, timingSafeEqual } from 'node:crypto';

const KINDS = [
  { kind: 'bcrypt', pattern: /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/ },
  { kind: 'apache-md5', pattern: /^\$apr1\$[^$]{1,8}\$[./A-Za-z0-9]{22}$/ },
  { kind: 'sha256-crypt', pattern: /^\$5\$(rounds=\d+\$)?[^$]{1,16}\$[./A-Za-z0-9]{43}$/ },
  { kind: 'sha512-crypt', pattern: /^\$6\$(rounds=\d+\$)?[^$]{1,16}\$[./A-Za-z0-9]{86}$/ },
  { kind: 'sha1', pattern: /^\{SHA\}[A-Za-z0-9+/]{27}=$/ },
] as const;

export type HashKind = (typeof KINDS)[number]['kind'];

/** The kind of a hash in a password file, or undefined for one that is not accepted, plain text above all. */
export const hashKind = (hash: string): HashKind | undefined => KINDS.find(({ pattern }) => pattern.test(hash))?.kind;

/** `{SHA}`: one round of SHA-1, quick enough to be done on the spot. Compared in constant time. */
export function matchesSha1(password: string, hash: string): boolean {
  const given = createHash('sha1').update(password).digest();
  const stored = Buffer.from(hash.slice('{SHA}'.length), 'base64');
  return given.length === stored.length && timingSafeEqual(given, stored);
}
