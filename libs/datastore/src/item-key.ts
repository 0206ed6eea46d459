import { fault } from '@switchyard/base';
import type { KeyValueScope } from '@switchyard/model';

/** Items belong to the whole system or to one user. */
export type ItemScope = 'system' | 'user';

export const FULL_SCOPE = { system: 'st2kv.system', user: 'st2kv.user' } as const satisfies Record<
  ItemScope,
  KeyValueScope
>;

/** Accepts `system`, `st2kv.system`, `svckv.system`, and the same for `user`. @throws Fault `datastore.scope` */
export function readScope(text: string): ItemScope {
  const scope = known(text);
  if (!scope) throw fault('datastore.scope', { scope: shown(text) });
  return scope;
}

/** Like `readScope`, but also accepts `all`. @throws Fault `datastore.list-scope` */
export function readListScope(text: string): ItemScope | 'all' {
  const scope = text === 'all' ? text : known(text);
  if (!scope) throw fault('datastore.list-scope', { scope: shown(text) });
  return scope;
}

const known = (text: string): ItemScope | undefined =>
  (Object.keys(FULL_SCOPE) as ItemScope[]).find((scope) => FULL_SCOPE[scope] === full(text));

const LONGEST_SHOWN = 100;

/** An invalid scope in an error. */
const shown = (text: string): string => {
  const scope = full(text);
  return scope.length > LONGEST_SHOWN ? `${scope.slice(0, LONGEST_SHOWN)}…` : scope;
};

/** The stored form, which clients also see in messages. */
const full = (text: string): string =>
  text.startsWith('svckv') ? `st2kv${text.slice('svckv'.length)}` : text.startsWith('st2kv') ? text : `st2kv.${text}`;

/** Identifies an item of the system or of a user. */
export type ItemKey =
  | { readonly scope: 'system'; readonly name: string }
  | { readonly scope: 'user'; readonly user: string; readonly name: string };

/** Prefix of the stored names of a user's items. User names never contain a colon. */
export const ownerPrefix = (user: string): string => `${user}:`;

export const storedName = (key: ItemKey): string =>
  key.scope === 'user' ? ownerPrefix(key.user) + key.name : key.name;

/** The uid that permissions refer to. */
export const itemUid = (key: ItemKey): string => `key_value_pair:${FULL_SCOPE[key.scope]}:${storedName(key)}`;
