import { createSealer, keyIdOf, type Resealer } from '@switchyard/storage';
import { openKeyFile, type KeyFileOptions } from './key-file';
import { looksLikeReference } from './reference-cipher';
import { openValue } from './value-cipher';

/** The name, in counts, for the keys of values that the reference encrypted, because such values do not name their
 * key. */
const REFERENCE = 'StackStorm';

/**
 * Encrypts the values of secret items again, also those that the reference encrypted, with the current keys of the
 * file. Undefined without a key file.
 */
export function openItemResealers(options: KeyFileOptions): () => Promise<Resealer | undefined> {
  const file = openKeyFile(options);
  return async () => {
    const keys = await file.read();
    if (!keys) return undefined;
    const { ring, reference } = keys;
    const sealer = createSealer(ring);
    return {
      keyOf: (value) => (looksLikeReference(value) ? REFERENCE : (keyIdOf(value) ?? 'unknown')),
      isCurrent: (value) => keyIdOf(value) === ring.current,
      isFormer: (key) =>
        key === REFERENCE ? reference.length > 0 : key !== ring.current && Object.hasOwn(ring.keys, key),
      reseal: (value) => sealer.seal(openValue(keys, value)),
    };
  };
}
