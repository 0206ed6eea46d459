import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Planted } from './planted';

/** A user whose password takes long to check. */
export const ENDURING = 'enduring';
/** A user whose password is a planted secret. */
export const SECRETIVE = 'secretive';

/** Lines of the password file. */
export function userLines({ password }: Planted): string[] {
  const sha = createHash('sha1').update(password).digest('base64');
  return [`${SECRETIVE}:{SHA}${sha}`, `${ENDURING}:${slowHash()}`];
}

/** SHA-512 crypt: some milliseconds of work for each attempt. */
function slowHash(): string {
  const { stdout } = spawnSync('openssl', ['passwd', '-6', '-salt', 'hostile', 'unguessable'], {
    encoding: 'utf8',
  });
  const hash = stdout.trim();
  // Machines on which password files are created have openssl; without it, the hash matches no password.
  return hash.startsWith('$6$') ? hash : `$6$hostile$${'x'.repeat(86)}`;
}
