import { fault, messageOf } from '@switchyard/base';
import { createSealer } from '@switchyard/storage';
import { type DatastoreKeys, openKeyFile, type KeyFileOptions } from './key-file';
import { looksLikeReference, openReference } from './reference-cipher';

/** Encrypts the values of secret items. `name` is the item's name, used in messages. */
export interface ValueCipher {
  /** @throws Fault `datastore.no-key`, `datastore.encryption-off`, `storage.key-file` */
  encrypt(text: string, name: string): Promise<string>;
  /** Decrypts our format and the reference's. @throws as `encrypt`, and Fault `datastore.cannot-decrypt` */
  decrypt(ciphertext: string, name: string): Promise<string>;
}

export interface ValueCipherOptions extends KeyFileOptions {
  /** `keyvalue.enable_encryption`. */
  readonly enabled: boolean;
}

/** Reads the key file only when a value has to be encrypted or decrypted. */
export function createValueCipher({ enabled, ...options }: ValueCipherOptions): ValueCipher {
  const file = openKeyFile(options);
  const keysFor = async (name: string, read: () => Promise<DatastoreKeys | undefined>) => {
    if (!enabled) throw fault('datastore.encryption-off', { name });
    const keys = await read();
    if (!keys) throw fault('datastore.no-key', { path: file.path, name });
    return keys;
  };
  return {
    async encrypt(text, name) {
      const { ring } = await keysFor(name, file.readOrCreate);
      return createSealer(ring).seal(text);
    },
    async decrypt(ciphertext, name) {
      const keys = await keysFor(name, file.read);
      try {
        return openValue(keys, ciphertext);
      } catch (error) {
        throw fault('datastore.cannot-decrypt', { name, text: messageOf(error) }, { cause: error });
      }
    },
  };
}

/** @throws Error when no key opens the value */
export function openValue({ ring, reference }: DatastoreKeys, ciphertext: string): string {
  if (!looksLikeReference(ciphertext)) return createSealer(ring).open(ciphertext);
  let failure: unknown = new Error('StackStorm encrypted the value, and the key file has no StackStorm key');
  for (const key of reference) {
    try {
      return openReference(key, ciphertext);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
