import { randomBytes } from 'node:crypto';
import { isPlainObject } from '@switchyard/base';
import { formatKeyRing, isReferenceFile, newKeyRing, parseKeyFile, parseKeyRing, referenceKeyId } from './key-ring';

/** A key file as JSON. Members that do not concern keys are unchanged. */
type KeyFileText = string;

const REFERENCE_BYTES = 32;

/**
 * Adds a key that opens values but does not seal any yet. For a file of the reference, adds a further key file of the
 * reference, so that its tools find their key in the same place before and after the change.
 * @returns the id of the key as `result`
 */
export function withNewKey(json: KeyFileText): { json: KeyFileText; result: string } {
  const file = validFile(json);
  if (isReferenceFile(file)) {
    const made = newReferenceKey();
    return { json: written({ ...file, reference: [...olderOf(file), made] }), result: referenceKeyId(made) };
  }
  const made = newKeyRing();
  const { keys } = JSON.parse(formatKeyRing(made)) as { keys: object };
  return { json: written({ ...file, keys: { ...(file['keys'] as object), ...keys } }), result: made.current };
}

/** Seals with this key from now on. @throws Error if the file does not have it */
export function withCurrentKey(json: KeyFileText, id: string): KeyFileText {
  const file = validFile(json);
  if (parseKeyRing(json).current === id) return json;
  const older = olderOf(file);
  const chosen = older.find((each) => referenceKeyId(each) === id);
  if (isReferenceFile(file) && chosen)
    return written({
      ...file,
      ...referencePart(chosen),
      reference: [...older.filter((each) => each !== chosen), referencePart(file)],
    });
  if (isReferenceFile(file) || !Object.hasOwn(file['keys'] as object, id))
    throw new Error(`it does not have the key "${id}"`);
  return written({ ...file, current: id });
}

/** Adds the keys of another key file, which are then used only to decrypt. */
export function withFormerKeys(json: KeyFileText, other: KeyFileText): KeyFileText {
  const [file, from] = [validFile(json), validFile(other)];
  const keys = { ...(from['keys'] as object | undefined), ...(file['keys'] as object | undefined) };
  const former = [...olderOf(from), ...(isReferenceFile(from) ? [referencePart(from)] : [])];
  const reference = [...olderOf(file), ...former];
  return written({
    ...file,
    ...(Object.keys(keys).length > 0 && { keys }),
    ...(reference.length > 0 && { reference }),
  });
}

/** Removes all keys but the current one. */
export function withCurrentKeyOnly(json: KeyFileText): KeyFileText {
  const { reference: _reference, keys, ...file } = validFile(json);
  if (isReferenceFile(file)) return written(file);
  const { current } = parseKeyRing(json);
  return written({ ...file, keys: { [current]: (keys as Record<string, unknown>)[current] } });
}

function validFile(json: KeyFileText): Record<string, unknown> {
  parseKeyRing(json);
  return parseKeyFile(json);
}

const olderOf = (file: Record<string, unknown>): Record<string, unknown>[] =>
  Array.isArray(file['reference']) ? file['reference'].filter(isPlainObject) : [];

/** The members that make up a key in the reference's form. */
const referencePart = ({ hmacKey, aesKeyString, mode, size }: Record<string, unknown>) => ({
  hmacKey,
  aesKeyString,
  mode,
  size,
});

/** A key as `st2-generate-symmetric-crypto-key` writes it. */
const newReferenceKey = () => ({
  hmacKey: { hmacKeyString: randomBytes(REFERENCE_BYTES).toString('base64url'), size: REFERENCE_BYTES * 8 },
  aesKeyString: randomBytes(REFERENCE_BYTES).toString('base64url'),
  mode: 'CBC',
  size: REFERENCE_BYTES * 8,
});

const written = (file: object): KeyFileText => `${JSON.stringify(file, null, 2)}\n`;
