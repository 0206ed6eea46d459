import { isPlainObject } from '@switchyard/base';
import { parseKeyRing, type KeyRing } from '@switchyard/storage';
import { parseReferenceKey, type ReferenceKey } from './reference-cipher';

/** The keys of one key file. */
export interface DatastoreKeys {
  /** New values are sealed with the current one of these. */
  readonly ring: KeyRing;
  /** These open what the reference has encrypted. */
  readonly reference: readonly ReferenceKey[];
}

/**
 * Reads a key file: one of the reference, or ours, `{current, keys}` and optionally `reference`, a list of the reference's
 * key files whose values are still to be read.
 * @throws Error saying what is wrong with the text, without showing it
 */
export function parseDatastoreKeys(json: string): DatastoreKeys {
  // It says by itself what is wrong with JSON that is none.
  const ring = parseKeyRing(json);
  const file = JSON.parse(json) as Record<string, unknown>;
  if (typeof file['aesKeyString'] === 'string') return { ring, reference: [parseReferenceKey(file)] };
  const older = file['reference'] ?? [];
  if (!Array.isArray(older) || !older.every(isPlainObject))
    throw new Error('"reference" has to be a list of key files of the reference');
  // What was sealed while such a file was the only one has a key that is derived from it.
  const derived = older.map((each) => parseKeyRing(JSON.stringify(each)).keys);
  return {
    ring: { current: ring.current, keys: Object.assign({}, ...derived, ring.keys) as KeyRing['keys'] },
    reference: older.map(parseReferenceKey),
  };
}
