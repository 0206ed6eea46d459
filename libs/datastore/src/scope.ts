import { fault } from '@switchyard/base';
import type { KeyValueScope } from '@switchyard/model';

/** Items of the whole system, and items that each user has for themselves. */
export type ItemScope = 'system' | 'user';

export const FULL_SCOPE = { system: 'st2kv.system', user: 'st2kv.user' } as const satisfies Record<
  ItemScope,
  KeyValueScope
>;

/** Reads `system`, `st2kv.system`, `svckv.system`, and the same of `user`. @throws Fault `datastore.scope` */
export function readScope(text: string): ItemScope {
  const scope = known(text);
  if (!scope) throw fault('datastore.scope', { scope: full(text) });
  return scope;
}

/** Like `readScope`, and takes `all`. @throws Fault `datastore.list-scope` */
export function readListScope(text: string): ItemScope | 'all' {
  const scope = text === 'all' ? text : known(text);
  if (!scope) throw fault('datastore.list-scope', { scope: full(text) });
  return scope;
}

const known = (text: string): ItemScope | undefined =>
  (Object.keys(FULL_SCOPE) as ItemScope[]).find((scope) => FULL_SCOPE[scope] === full(text));

/** As it is stored, and as clients know it from messages. */
const full = (text: string): string =>
  text.startsWith('svckv') ? `st2kv${text.slice('svckv'.length)}` : text.startsWith('st2kv') ? text : `st2kv.${text}`;
