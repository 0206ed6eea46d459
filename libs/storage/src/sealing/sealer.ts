import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring';

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

export const createSealer = (ring: KeyRing): Sealer => ({
  seal(text) {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', keyOf(ring, ring.current), nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const parts = [nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64url'));
    return [VERSION, ring.current, ...parts].join('.');
  },
  open(envelope) {
    const [version, id, nonce, tag, body, ...more] = envelope.split('.');
    const isComplete = id !== undefined && nonce !== undefined && tag !== undefined && body !== undefined;
    if (version !== VERSION || !isComplete || more.length > 0)
      throw new Error('the stored secret is not in a known format');
    const decipher = createDecipheriv('aes-256-gcm', keyOf(ring, id), Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
  },
});

function keyOf(ring: KeyRing, id: string): Buffer {
  const key = ring.keys[id];
  if (!key) throw new Error(`the stored secret was encrypted with the key "${id}", which is not in the key file`);
  return key;
}
