import { createHash, randomBytes } from 'node:crypto';
import { isPlainObject } from '@switchyard/base';

/** Encryption keys by id. New values use `current`; the others only open older values. */
export interface KeyRing {
  readonly current: string;
  readonly keys: Readonly<Record<string, Buffer>>;
}

const KEY_BYTES = 32;

/** The id is derived from the key, so that an id never stands for different keys in two files. */
const keyId = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

export function newKeyRing(): KeyRing {
  const key = randomBytes(KEY_BYTES);
  return { current: keyId(key), keys: { [keyId(key)]: key } };
}

/**
 * Reads a key file in our form (`{current, keys}` with base64 keys), or in the reference's keyczar form (`{aesKeyString,
 * hmacKey, …}` with URL-safe base64), whose AES key then is the current key. Both may list further key files of the reference
 * in `reference`.
 * @throws Error with the reason, without showing the text
 */
export function parseKeyRing(json: string): KeyRing {
  const value = parseKeyFile(json);
  const older = olderKeys(value['reference'] ?? []);
  if (isReferenceFile(value)) {
    const key = derivedKey(value);
    return { current: keyId(key), keys: { ...older, ...decodedKeys(value['keys'] ?? {}), [keyId(key)]: key } };
  }
  const { current, keys } = value as { current?: unknown; keys?: unknown };
  if (typeof current !== 'string' || typeof keys !== 'object' || keys === null)
    throw new Error('expected an object with "current" and "keys", or a key file of the reference');
  const decoded = decodedKeys(keys);
  if (!decoded[current]) throw new Error(`"current" names the key "${current}", which "keys" does not have`);
  return { current, keys: { ...older, ...decoded } };
}

/** Whether a key file is in the reference's form. */
export const isReferenceFile = (file: Readonly<Record<string, unknown>>): boolean =>
  typeof file['aesKeyString'] === 'string';

/** The id of the key that is derived from a key file of the reference. */
export const referenceKeyId = (file: Readonly<Record<string, unknown>>): string => keyId(derivedKey(file));

const derivedKey = ({ aesKeyString }: Readonly<Record<string, unknown>>): Buffer =>
  createHash('sha256')
    .update(Buffer.from(String(aesKeyString), 'base64url'))
    .digest();

/** While such a file was the only one, values were sealed with a key derived from it. */
function olderKeys(files: unknown): Record<string, Buffer> {
  if (!Array.isArray(files) || !files.every((file) => isPlainObject(file) && isReferenceFile(file)))
    throw new Error('"reference" must be a list of StackStorm key files');
  return Object.fromEntries(
    (files as Record<string, unknown>[]).map((file) => [referenceKeyId(file), derivedKey(file)]),
  );
}

function decodedKeys(keys: unknown): Record<string, Buffer> {
  const decoded = Object.fromEntries(
    Object.entries(keys as object).map(([id, text]) => [id, Buffer.from(String(text), 'base64')]),
  );
  for (const [id, key] of Object.entries(decoded))
    if (key.length !== KEY_BYTES) throw new Error(`key "${id}" has ${key.length} bytes, expected ${KEY_BYTES}`);
  return decoded;
}

/** Parses a key file. The parser's own message would quote a part of the text. @throws Error */
export function parseKeyFile(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (isPlainObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Error('expected a JSON object');
}

export const formatKeyRing = ({ current, keys }: KeyRing): string =>
  `${JSON.stringify(
    { current, keys: Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, key.toString('base64')])) },
    null,
    2,
  )}\n`;
