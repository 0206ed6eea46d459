import { createCipheriv, createHmac, randomBytes } from 'node:crypto';

export interface ReferenceKeyFile {
  hmacKey: { hmacKeyString: string; size: number };
  aesKeyString: string;
  mode: string;
  size: number;
}

/** A key file as the reference writes it. */
export function referenceKeyFile(bytes = 32): ReferenceKeyFile {
  return {
    hmacKey: { hmacKeyString: randomBytes(32).toString('base64url'), size: 256 },
    aesKeyString: randomBytes(bytes).toString('base64url'),
    mode: 'CBC',
    size: bytes * 8,
  };
}

/** Encrypts as the reference does. */
export function referenceEncrypt({ aesKeyString, hmacKey, size }: ReferenceKeyFile, text: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv(`aes-${size}-cbc`, Buffer.from(aesKeyString, 'base64url'), iv);
  const signed = Buffer.concat([Buffer.from('00000'), iv, cipher.update(text, 'utf8'), cipher.final()]);
  const tag = createHmac('sha1', Buffer.from(hmacKey.hmacKeyString, 'base64url')).update(signed).digest();
  return Buffer.concat([signed, tag]).toString('hex').toUpperCase();
}
