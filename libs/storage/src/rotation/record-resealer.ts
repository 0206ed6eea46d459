import type { KeySource } from '../sealing/live-key-ring';
import { createSealer, keyIdOf } from '../sealing/sealer';
import type { Resealer } from './walk';

/** Encrypts the values of records again, with the current keys of the file. */
export function recordResealer(keys: KeySource): Resealer {
  const ring = keys.reread();
  const sealer = createSealer(ring);
  return {
    keyOf: (envelope) => keyIdOf(envelope) ?? 'unknown',
    isCurrent: (envelope) => keyIdOf(envelope) === ring.current,
    isFormer: (key) => key !== ring.current && Object.hasOwn(ring.keys, key),
    reseal: (envelope) => sealer.seal(sealer.open(envelope)),
  };
}
