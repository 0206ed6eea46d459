import { isFault, messageOf } from '@switchyard/base';
import type { KeyValueRecord } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import type { ValueCipher } from './encryption/value-cipher';
import { itemOf, type Item } from './item';

export interface Reading {
  /** The user who gets to see the values of secret items in clear; the log says so. */
  readonly decryptFor?: string | undefined;
}

interface Showing {
  readonly cipher: ValueCipher;
  readonly logger: Pick<Logger, 'audit' | 'warn'>;
}

/** @throws Fault `datastore.cannot-decrypt` and others of the cipher, when asked to decrypt */
export async function showItem(
  { cipher, logger }: Showing,
  record: KeyValueRecord,
  { decryptFor }: Reading,
): Promise<Item> {
  if (!record.secret || decryptFor === undefined) return itemOf(record);
  const plain = await cipher.decrypt(record.value, record.name);
  logger.audit(`User ${decryptFor} decrypted the value ${record.name}`, { user: decryptFor, item: record.uid });
  return itemOf(record, plain);
}

/** Like `showItem`, for lists: one value that was encrypted with a lost key must not make the others unreadable. */
export async function showListed(showing: Showing, record: KeyValueRecord, reading: Reading): Promise<Item> {
  try {
    return await showItem(showing, record, reading);
  } catch (error) {
    if (!isFault(error) || error.code !== 'datastore.cannot-decrypt') throw error;
    showing.logger.warn('A datastore item cannot be decrypted.', { item: record.uid, error: messageOf(error) });
    return itemOf(record);
  }
}
