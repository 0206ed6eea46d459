import type { KeyValueRecord } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import type { ValueCipher } from './encryption/value-cipher';
import { itemOf, type Item } from './item';

/** What has happened to an item, in the words of the triggers `core.st2.key_value_pair.<kind>`. Values of secret items are ciphertext. */
export type ItemChange =
  | { readonly kind: 'create' | 'update' | 'delete'; readonly payload: { readonly object: Item } }
  | { readonly kind: 'value_change'; readonly payload: { readonly old_object: Item; readonly new_object: Item } };

/** Told of each change after it was written. What it rejects with is logged, and the change stays. */
export type OnItemChange = (change: ItemChange) => Promise<unknown>;

/** What a write has changed. @param before what was there */
export async function changesOf(
  cipher: ValueCipher,
  { record, plain }: { readonly record: KeyValueRecord; readonly plain: string },
  before: KeyValueRecord | undefined,
): Promise<ItemChange[]> {
  const object = itemOf(record);
  if (!before) return [{ kind: 'create', payload: { object } }];
  const update: ItemChange = { kind: 'update', payload: { object } };
  if ((await plainText(cipher, before)) === plain) return [update];
  return [update, { kind: 'value_change', payload: { old_object: itemOf(before), new_object: object } }];
}

/** Ciphertext differs each time, so values are compared in clear. What cannot be read any more equals nothing. */
const plainText = async (cipher: ValueCipher, { secret, value, name }: KeyValueRecord): Promise<string | undefined> =>
  secret ? cipher.decrypt(value, name).catch(() => undefined) : value;

/** The item is written: that nobody could be told of it does not undo that. */
export async function tell(
  { onChange, logger }: { readonly onChange?: OnItemChange | undefined; readonly logger: Pick<Logger, 'error'> },
  changes: readonly ItemChange[],
): Promise<void> {
  for (const change of changes) {
    try {
      await onChange?.(change);
    } catch (error) {
      logger.error('The trigger of a datastore item could not be dispatched.', { kind: change.kind, error });
    }
  }
}
