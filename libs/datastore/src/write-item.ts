import { fault, isFault, MIB, MS_MICROS, newId, SECOND_MS, type Clock } from '@switchyard/base';
import type { KeyValueRecord } from '@switchyard/model';
import type { NewKeyValue } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import type { ValueCipher } from './encryption/value-cipher';
import { datastoreItemOf, type Item } from './item';
import { itemUid, storedName, type ItemKey, FULL_SCOPE } from './item-key';

/** A write replaces the whole item: omitted fields are removed. */
export interface NewItem {
  readonly value: string;
  readonly secret?: boolean | undefined;
  /** `value` is already ciphertext. Implies `secret`. */
  readonly encrypted?: boolean | undefined;
  readonly description?: string | undefined;
  /** 0 or undefined: never expires. */
  readonly ttlSeconds?: number | undefined;
}

export interface WritableItem {
  readonly record: NewKeyValue;
  readonly plain: string;
}

/** Two encrypted values of this size fit into one stored document: a trigger reports both the old and the new value. */
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

/** Decrypts a value that was given encrypted. */
async function verified(cipher: ValueCipher, { name }: ItemKey, value: string): Promise<string> {
  try {
    return await cipher.decrypt(value, name);
  } catch (error) {
    if (!isFault(error) || error.code !== 'datastore.cannot-decrypt') throw error;
    throw fault('datastore.integrity', { name }, { cause: error });
  }
}

/** A change of an item, as the payload of the trigger `core.st2.key_value_pair.<kind>`. Secret values are ciphertext. */
export type ItemChange =
  | { readonly kind: 'create' | 'update' | 'delete'; readonly payload: { readonly object: Item } }
  | { readonly kind: 'value_change'; readonly payload: { readonly old_object: Item; readonly new_object: Item } };

/** Called after each change is stored. A rejection is logged; the change stays. */
export type OnItemChange = (change: ItemChange) => Promise<unknown>;

/** The changes that a write made. @param before the record it replaced */
export async function changesOf(
  cipher: ValueCipher,
  { record, plain }: { readonly record: KeyValueRecord; readonly plain: string },
  before: KeyValueRecord | undefined,
): Promise<ItemChange[]> {
  const object = datastoreItemOf(record);
  if (!before) return [{ kind: 'create', payload: { object } }];
  const update: ItemChange = { kind: 'update', payload: { object } };
  if ((await plainText(cipher, before)) === plain) return [update];
  return [update, { kind: 'value_change', payload: { old_object: datastoreItemOf(before), new_object: object } }];
}

/** Encrypting the same text twice gives different ciphertexts, so values are compared decrypted. An unreadable value equals nothing. */
const plainText = async (cipher: ValueCipher, { secret, value, name }: KeyValueRecord): Promise<string | undefined> =>
  secret ? cipher.decrypt(value, name).catch(() => undefined) : value;

/** The item is already stored, so a failed announcement is only logged. */
export async function announceItem(
  { onChange, logger }: { readonly onChange?: OnItemChange | undefined; readonly logger: Pick<Logger, 'error'> },
  changes: readonly ItemChange[],
): Promise<void> {
  for (const change of changes) {
    try {
      await onChange?.(change);
    } catch (error) {
      logger.error('Failed to dispatch the trigger of a datastore item.', { kind: change.kind, error });
    }
  }
}
