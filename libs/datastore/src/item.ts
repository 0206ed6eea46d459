import { microsToIso, MS_MICROS, isFault, messageOf } from '@switchyard/base';
import { unreadableView, type KeyValueRecord, type KeyValueScope } from '@switchyard/model';
import type { Logger } from '@switchyard/telemetry';
import type { ValueCipher } from './encryption/value-cipher';
import { FULL_SCOPE } from './item-key';

/** An item as the API returns it and triggers report it. */
export interface Item {
  readonly id: string;
  readonly uid: string;
  readonly scope: KeyValueScope;
  /** Without the user prefix. */
  readonly name: string;
  /** The owner; user scope only. */
  readonly user?: string;
  readonly value: string;
  readonly secret: boolean;
  /** True when `value` is ciphertext. */
  readonly encrypted: boolean;
  readonly description?: string;
  /** ISO 8601. */
  readonly expire_timestamp?: string;
}

/** An item whose stored bytes are damaged or whose fields have wrong types. */
export interface UnreadableItem {
  readonly id: string;
  /** What is wrong with it. */
  readonly unreadable: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const FIELDS: Readonly<Partial<Record<keyof KeyValueRecord, (value: unknown) => boolean>>> = {
  uid: isText,
  name: isText,
  value: isText,
  description: (value) => value === undefined || isText(value),
  expire_timestamp: (value) => value === undefined || value instanceof Date,
};

/** @returns undefined when the record can be read */
export function unreadableItem(record: KeyValueRecord): UnreadableItem | undefined {
  const wrong = Object.entries(FIELDS).find(([field, fits]) => !fits(record[field as keyof KeyValueRecord]));
  return unreadableView(record) ?? (wrong && { id: record._id, unreadable: `unreadable: its ${wrong[0]}` });
}

/** @param plain the decrypted value of a secret item; without it, `value` stays ciphertext */
export function datastoreItemOf(record: KeyValueRecord, plain?: string): Item {
  const { _id, uid, scope, value, secret, description, expire_timestamp: expiry } = record;
  return {
    id: _id,
    uid,
    scope,
    ...nameParts(record),
    value: plain ?? value,
    secret,
    encrypted: secret && plain === undefined,
    ...(description === undefined ? {} : { description }),
    ...(expiry === undefined ? {} : { expire_timestamp: microsToIso(expiry.getTime() * MS_MICROS) }),
  };
}

function nameParts({ scope, name }: KeyValueRecord): { name: string; user?: string } {
  if (scope !== FULL_SCOPE.user) return { name };
  const colon = name.indexOf(':');
  return { name: name.slice(colon + 1), user: name.slice(0, colon) };
}

export interface ItemReading {
  /** Decrypt secret values for this user. Each decryption is logged. */
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
  { decryptFor }: ItemReading,
): Promise<Item> {
  if (!record.secret || decryptFor === undefined) return datastoreItemOf(record);
  const plain = await cipher.decrypt(record.value, record.name);
  logger.audit(`User ${decryptFor} decrypted the value ${record.name}`, { user: decryptFor, item: record.uid });
  return datastoreItemOf(record, plain);
}

/**
 * Like `showItem`, for lists: one value encrypted with a lost key, or one damaged record, must not hide the others.
 */
export async function showListed(
  showing: Showing,
  record: KeyValueRecord,
  reading: ItemReading,
): Promise<Item | UnreadableItem> {
  const unreadable = unreadableItem(record);
  if (unreadable) return unreadable;
  try {
    return await showItem(showing, record, reading);
  } catch (error) {
    if (!isFault(error) || error.code !== 'datastore.cannot-decrypt') throw error;
    showing.logger.warn('Failed to decrypt a datastore item.', { item: record.uid, error: messageOf(error) });
    return datastoreItemOf(record);
  }
}
