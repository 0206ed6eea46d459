import { createHash } from 'node:crypto';
import { randomHex } from '@switchyard/base';

const RANDOM_DIGITS = 64;
const SALT = 'saltnpepper';

/** A new key: the base64 text of 64 random hexadecimal digits without padding, 86 characters. */
export const newApiKey = (): string => Buffer.from(randomHex(RANDOM_DIGITS)).toString('base64').replace(/=+$/, '');

/**
 * What is stored of a key. The fixed prefix is the reference's, so that its exported keys can be imported; the key itself
 * carries 256 random bits, which makes a slow hash unnecessary.
 */
export const apiKeyHash = (key: string): string =>
  createHash('sha512')
    .update(SALT + key)
    .digest('hex');

/** True for what `apiKeyHash` answers. */
export const isApiKeyHash = (text: string): boolean => /^[0-9a-f]{128}$/.test(text);
