import { microsToIso, MS_MICROS } from '@switchyard/base';
import type { KeyValueRecord, KeyValueScope } from '@switchyard/model';
import { FULL_SCOPE } from './scope';

/** An item as it is shown, and as triggers tell of it. */
export interface Item {
  readonly id: string;
  readonly uid: string;
  readonly scope: KeyValueScope;
  /** Without the user. */
  readonly name: string;
  /** Whose it is, in the user scope. */
  readonly user?: string;
  readonly value: string;
  readonly secret: boolean;
  /** The value is ciphertext. */
  readonly encrypted: boolean;
  readonly description?: string;
  /** ISO 8601. */
  readonly expire_timestamp?: string;
}

/** @param plain the value of a secret item in clear; without it the ciphertext is shown */
export function itemOf(record: KeyValueRecord, plain?: string): Item {
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
