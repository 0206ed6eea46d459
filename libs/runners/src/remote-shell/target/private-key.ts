import { createPrivateKey } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { fault, KIB, messageOf } from '@switchyard/base';
import { utils, type ParsedKey } from 'ssh2';
import type { Proof } from './ssh-target';

type KeyProof = Extract<Proof, { kind: 'key' }>;

const MOST_BYTES = 64 * KIB;

/** A private key from its text, or from the file that a text without one names. @throws Fault `ssh.key-file` */
export async function keyProof(textOrPath: string, passphrase?: string): Promise<KeyProof> {
  const secret = passphrase === undefined ? {} : { passphrase };
  if (textOrPath.includes('PRIVATE KEY-----') || textOrPath.startsWith('PuTTY-User-Key-File-')) {
    return { kind: 'key', text: withLineBreaks(textOrPath), source: 'private_key', ...secret };
  }
  return { kind: 'key', text: await keyFile(textOrPath), source: textOrPath, ...secret };
}

/** In one line, as some forms and environment variables hold it, a key is of no use; its line breaks are written out. */
const withLineBreaks = (text: string): string =>
  text.includes('\n') ? `${text.trimEnd()}\n` : text.replaceAll('\\n', '\n');

async function keyFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new Error('it is too long for a key');
    return await readFile(path, 'utf8');
  } catch (thrown) {
    // Neither the path as it came nor anything out of the file: a path may be a key that was cut, or copied badly.
    throw fault('ssh.key-file', { reason: reasonOf(thrown) }, { cause: thrown });
  }
}

function reasonOf(thrown: unknown): string {
  const { code } = thrown as { code?: string };
  return code ?? messageOf(thrown);
}

/** @throws Fault `ssh.key` when it is none, or its passphrase is wrong or missing */
export function parsePrivateKey({ text, passphrase }: KeyProof): ParsedKey {
  // Its type lacks the list that keys in the form of OpenSSH come in.
  const parsed = utils.parseKey(inKnownForm(text, passphrase), passphrase) as ParsedKey | ParsedKey[] | Error;
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key instanceof Error || key === undefined) throw fault('ssh.key', { reason: key?.message ?? 'it is empty' });
  if (!key.isPrivateKey()) throw fault('ssh.key', { reason: 'it is a public key' });
  return key;
}

/** OpenSSL's usual form is unknown to the library; for RSA and ECDSA there is an older one which it knows. */
function inKnownForm(text: string, passphrase: string | undefined): string {
  if (!/-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(text)) return text;
  try {
    const key = createPrivateKey({ key: text, ...(passphrase !== undefined && { passphrase }) });
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'pem' }) as string;
    if (key.asymmetricKeyType === 'ec') return key.export({ type: 'sec1', format: 'pem' }) as string;
  } catch (thrown) {
    throw fault('ssh.key', { reason: (thrown as { code?: string }).code ?? 'it cannot be read' });
  }
  throw fault('ssh.key', { reason: 'keys of this kind have to be in the form of OpenSSH' });
}
