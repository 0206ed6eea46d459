import { createHash, createPrivateKey } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { fault, KIB, messageOf } from '@switchyard/base';
import type { ParsedKey } from 'ssh2';
import { ssh2 } from '../ssh2';

/** The destination, user and credentials of a connection. */
export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** In the order in which they are offered. */
  readonly proofs: readonly Proof[];
  /** The jump host for this one. */
  readonly via?: SshTarget;
}

/** A credential. */
export type Proof =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'key'; readonly text: string; readonly source: string; readonly passphrase?: string };

/** The key for sharing connections: one value per target, which reveals no secret. */
export const targetKey = (target: SshTarget): string =>
  createHash('sha256').update(JSON.stringify(target)).digest('base64');

type KeyProof = Extract<Proof, { kind: 'key' }>;

const MOST_BYTES = 64 * KIB;

/** Reads a private key from its text, or from the file that the text names. @throws Fault `ssh.key-file` */
export async function keyProof(textOrPath: string, passphrase?: string): Promise<KeyProof> {
  const secret = passphrase === undefined ? {} : { passphrase };
  if (textOrPath.includes('PRIVATE KEY-----') || textOrPath.startsWith('PuTTY-User-Key-File-')) {
    return { kind: 'key', text: withLineBreaks(textOrPath), source: 'private_key', ...secret };
  }
  return { kind: 'key', text: await keyFile(textOrPath), source: textOrPath, ...secret };
}

/** Restores the line breaks of a key that a form or an environment variable holds as one line. */
const withLineBreaks = (text: string): string =>
  text.includes('\n') ? `${text.trimEnd()}\n` : text.replaceAll('\\n', '\n');

async function keyFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new Error('it is too long for a key');
    return await readFile(path, 'utf8');
  } catch (thrown) {
    // The message contains neither the given path nor any file content: a path may be a truncated or damaged key.
    throw fault('ssh.key-file', { reason: reasonOf(thrown) }, { cause: thrown });
  }
}

function reasonOf(thrown: unknown): string {
  const { code } = thrown as { code?: string };
  return code ?? messageOf(thrown);
}

/** @throws Fault `ssh.key` when it is not a key, or its passphrase is wrong or missing */
export function parsePrivateKey({ text, passphrase }: KeyProof): ParsedKey {
  // The type omits that keys in OpenSSH format come as a list.
  const parsed = ssh2().utils.parseKey(inKnownForm(text, passphrase), passphrase) as ParsedKey | ParsedKey[] | Error;
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key instanceof Error || key === undefined) throw fault('ssh.key', { reason: key?.message ?? 'it is empty' });
  if (!key.isPrivateKey()) throw fault('ssh.key', { reason: 'it is a public key' });
  return key;
}

/** The library does not read OpenSSL's usual format. For RSA and ECDSA it reads an older one. */
function inKnownForm(text: string, passphrase: string | undefined): string {
  if (!/-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(text)) return text;
  try {
    const key = createPrivateKey({ key: text, ...(passphrase !== undefined && { passphrase }) });
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'pem' }) as string;
    if (key.asymmetricKeyType === 'ec') return key.export({ type: 'sec1', format: 'pem' }) as string;
  } catch (thrown) {
    throw fault('ssh.key', { reason: (thrown as { code?: string }).code ?? 'it cannot be read' });
  }
  throw fault('ssh.key', { reason: 'keys of this type must be in the OpenSSH format' });
}
