import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface SshKeyOptions {
  readonly type?: 'rsa' | 'ecdsa' | 'ed25519';
  readonly passphrase?: string;
  /** `PEM` is what older programs write. */
  readonly format?: 'RFC4716' | 'PEM' | 'PKCS8';
}

/** Small enough to be made quickly. */
const SIZE = { rsa: ['-b', '2048'], ecdsa: [], ed25519: [] };

/** Makes a private key in a new file, with its public key beside it. */
export function makeSshKey(path: string, { type = 'ed25519', passphrase = '', format }: SshKeyOptions = {}) {
  const inFormat = format === undefined ? [] : ['-m', format];
  const made = spawnSync('ssh-keygen', [
    '-q',
    '-t',
    type,
    ...SIZE[type],
    ...inFormat,
    '-N',
    passphrase,
    '-C',
    'test',
    '-f',
    path,
  ]);
  if (made.status !== 0) throw new Error(`ssh-keygen: ${made.stderr.toString()}`);
  return { path, text: readFileSync(path, 'utf8'), publicKey: readFileSync(`${path}.pub`, 'utf8').trim() };
}
