import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SECOND_MS } from '@switchyard/base';
import { writePrivateFile } from './private-file';

/** Remembers tokens between runs, by user and auth service. */
export interface TokenCache {
  /** Undefined if there is no token or it is about to expire. */
  read(user: string): string | undefined;
  write(user: string, token: string, expiry: Date): void;
  drop(user: string): void;
}

/** A token must still be valid when the request arrives. */
const MARGIN_MS = 15 * SECOND_MS;

/** @param warn receives problems with the cache; the command continues without it */
export function tokenCache(home: string, authUrl: string, warn: (text: string) => void): TokenCache {
  const directory = join(home, '.svc');
  const service = createHash('sha256').update(authUrl).digest('hex').slice(0, 12);
  const pathOf = (user: string): string => join(directory, `token-${encodeURIComponent(user)}-${service}`);
  const attempt = <T>(what: string, run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        warn(`The token could not be ${what}: ${messageOf(error)}`);
      return undefined;
    }
  };
  return {
    read: (user) =>
      attempt('read from the cache', () => {
        const path = pathOf(user);
        if (statSync(path).mode & 0o077) warn(`Others can read the token in ${path}. Run: chmod 600 ${path}`);
        return usableToken(JSON.parse(readFileSync(path, 'utf8')) as unknown);
      }),
    write: (user, token, expiry) =>
      void attempt('cached', () => {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        const record = { token, expire_timestamp: Math.floor(expiry.getTime() / SECOND_MS) };
        writePrivateFile(pathOf(user), `${JSON.stringify(record)}\n`);
      }),
    drop: (user) => void attempt('removed from the cache', () => rmSync(pathOf(user), { force: true })),
  };
}

function usableToken(record: unknown): string | undefined {
  const { token, expire_timestamp: expiry } = (record ?? {}) as { token?: unknown; expire_timestamp?: unknown };
  if (typeof token !== 'string' || typeof expiry !== 'number') return undefined;
  return expiry * SECOND_MS - MARGIN_MS > Date.now() ? token : undefined;
}
