import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/** A key in the reference's JSON format (Keyczar). */
export interface ReferenceKey {
  readonly aes: Buffer;
  readonly hmac: Buffer;
}

const HEADER_BYTES = 5;
const IV_BYTES = 16;
const TAG_BYTES = 20;
const AES_BYTES: readonly number[] = [16, 24, 32];

/** @throws Error that describes the problem without quoting the key */
export function parseReferenceKey(value: Readonly<Record<string, unknown>>): ReferenceKey {
  const { aesKeyString, hmacKey, mode = 'CBC' } = value;
  const { hmacKeyString } = (hmacKey ?? {}) as { hmacKeyString?: unknown };
  if (mode !== 'CBC') throw new Error('a StackStorm key file must have the mode "CBC"');
  if (typeof aesKeyString !== 'string' || typeof hmacKeyString !== 'string')
    throw new Error('a StackStorm key file must have "aesKeyString" and "hmacKey" with "hmacKeyString"');
  const key = { aes: decoded(aesKeyString), hmac: decoded(hmacKeyString) };
  if (!AES_BYTES.includes(key.aes.length))
    throw new Error(`"aesKeyString" has ${key.aes.length} bytes, expected ${AES_BYTES.join(', ')}`);
  if (key.hmac.length === 0) throw new Error('"hmacKeyString" is empty');
  return key;
}

const decoded = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'base64url');

/** Whether a text may be a value that the reference encrypted: hexadecimal digits only. */
export const looksLikeReference = (text: string): boolean => /^(?:[0-9a-f]{2})+$/i.test(text);

/**
 * Decrypts `header || IV || ciphertext || HMAC-SHA1` (AES-CBC, hexadecimal). The header carries no information.
 * @throws Error when the value was changed or encrypted with another key
 */
export function openReference({ aes, hmac }: ReferenceKey, hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length < HEADER_BYTES + IV_BYTES + TAG_BYTES)
    throw new Error('Invalid or malformed ciphertext (too short)');
  const signed = bytes.subarray(0, -TAG_BYTES);
  const tag = createHmac('sha1', hmac).update(signed).digest();
  if (!timingSafeEqual(tag, bytes.subarray(-TAG_BYTES)))
    throw new Error('the value was changed, or encrypted with another key');
  const iv = signed.subarray(HEADER_BYTES, HEADER_BYTES + IV_BYTES);
  const decipher = createDecipheriv(`aes-${aes.length * 8}-cbc`, aes, iv);
  const body = signed.subarray(HEADER_BYTES + IV_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
