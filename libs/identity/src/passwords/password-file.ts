import { readFile, stat } from 'node:fs/promises';
import { fault, messageOf } from '@switchyard/base';
import type { Logger } from '@switchyard/telemetry';
import { hashKind } from './password-hash';

/** User name to hash, for the lines whose hash is of an accepted kind. */
export type PasswordEntries = ReadonlyMap<string, string>;

/**
 * Reads an htpasswd file, and reads it again when it has changed: `read` looks at its time, size and inode each time.
 * A line with a hash of another kind is left out with a warning.
 */
export function passwordFile(path: string, logger: Pick<Logger, 'warn'>): { read(): Promise<PasswordEntries> } {
  let seen = '';
  let entries: PasswordEntries = new Map();
  return {
    async read() {
      try {
        const { mtimeMs, size, ino } = await stat(path);
        const state = `${mtimeMs}/${size}/${ino}`;
        if (state !== seen) {
          entries = parse(await readFile(path, 'utf8'), (line, user) =>
            logger.warn('A line of the password file has no accepted hash and is ignored.', { path, line, user }),
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
