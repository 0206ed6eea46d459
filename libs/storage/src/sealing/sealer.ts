import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring';
import type { KeySource } from './live-key-ring';

/** Encrypts texts for the store. The format is `v1.<key id>.<nonce>.<tag>.<ciphertext>`, AES-256-GCM, base64url. */
export interface Sealer {
  seal(text: string): string;
  /** @throws Error when the envelope was changed, or its key is not in the ring */
  open(envelope: string): string;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
/** The cipher would also accept shorter tags, which can be guessed. */
const TAG_BYTES = 16;
const SEALED_PARTS = 5;
/** Longer than the initialization vector of a value that the reference encrypted. */
const HEX_HEAD = 64;

/** @param keys one ring, or the keys of a file that may change */
export function createSealer(keys: KeyRing | KeySource): Sealer {
  const { ring, reread } = 'ring' in keys ? keys : { ring: () => keys, reread: () => keys };
  return {
    seal(text) {
      const { current, keys: known } = ring();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(known, current), nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64url'));
      return [VERSION, current, ...parts].join('.');
    },
    open(envelope) {
      const [version, id, nonce, tag, body, ...more] = envelope.split('.');
      const isComplete = id !== undefined && nonce !== undefined && tag !== undefined && body !== undefined;
      if (version !== VERSION || !isComplete || more.length > 0)
        throw new Error('the stored secret is not in a known format');
      // Another process may have sealed it with a key that was added a moment ago.
      const key = ring().keys[id] ?? keyOf(reread().keys, id);
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
    },
  };
}

/** The id of the key that sealed a text. Undefined for a text in another format. */
export function keyIdOf(envelope: string): string | undefined {
  const [version, id, ...rest] = envelope.split('.', SEALED_PARTS);
  return version === VERSION && rest.length > 0 ? id : undefined;
}

/** The beginning of an envelope, long enough to be unique. */
export const headOf = (envelope: string): string =>
  keyIdOf(envelope) === undefined ? envelope.slice(0, HEX_HEAD) : envelope.split('.', SEALED_PARTS - 1).join('.');

function keyOf(keys: KeyRing['keys'], id: string): Buffer {
  const key = keys[id];
  if (!key) throw new Error(`the stored secret was encrypted with the key "${id}", which is not in the key file`);
  return key;
}
