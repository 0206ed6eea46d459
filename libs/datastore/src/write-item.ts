import { fault, isFault, MIB, MS_MICROS, newId, SECOND_MS, type Clock } from '@switchyard/base';
import type { NewKeyValue } from '@switchyard/storage';
import type { ValueCipher } from './encryption/value-cipher';
import { itemUid, storedName, type ItemKey } from './item-key';
import { FULL_SCOPE } from './scope';

/** An item is written whole: what is not given is not there afterwards. */
export interface NewItem {
  readonly value: string;
  readonly secret?: boolean | undefined;
  /** The value is ciphertext already, which makes the item secret. */
  readonly encrypted?: boolean | undefined;
  readonly description?: string | undefined;
  /** 0 and undefined: for ever. */
  readonly ttlSeconds?: number | undefined;
}

export interface WritableItem {
  readonly record: NewKeyValue;
  readonly plain: string;
}

/** Twice this, encrypted, still fits into one document: a trigger tells the old value and the new one. */
export const MAX_VALUE_BYTES = 5 * MIB;

/** @throws Fault `datastore.value-too-large`, `datastore.integrity`, and those of the cipher */
export async function writableItem(
  { cipher, clock }: { readonly cipher: ValueCipher; readonly clock: Pick<Clock, 'nowMicros'> },
  key: ItemKey,
  given: NewItem,
): Promise<WritableItem> {
  const { value, description, ttlSeconds = 0 } = given;
  const bytes = Buffer.byteLength(value);
  if (bytes > MAX_VALUE_BYTES)
    throw fault('datastore.value-too-large', { name: key.name, bytes, limit: MAX_VALUE_BYTES });
  const secret = Boolean(given.encrypted || given.secret);
  const record = {
    _id: newId(),
    uid: itemUid(key),
    scope: FULL_SCOPE[key.scope],
    name: storedName(key),
    value: secret && !given.encrypted ? await cipher.encrypt(value, key.name) : value,
    secret,
    ...(description === undefined ? {} : { description }),
    ...(ttlSeconds > 0 ? { expire_timestamp: new Date(clock.nowMicros() / MS_MICROS + ttlSeconds * SECOND_MS) } : {}),
  };
  return { record, plain: given.encrypted ? await verified(cipher, key, value) : value };
}

/** The plain text of a value that was given encrypted. */
async function verified(cipher: ValueCipher, { name }: ItemKey, value: string): Promise<string> {
  try {
    return await cipher.decrypt(value, name);
  } catch (error) {
    if (!isFault(error) || error.code !== 'datastore.cannot-decrypt') throw error;
    throw fault('datastore.integrity', { name }, { cause: error });
  }
}
