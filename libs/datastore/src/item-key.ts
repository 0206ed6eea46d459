import { FULL_SCOPE } from './scope';

/** Which item: one of the system, or one of a user. */
export type ItemKey =
  | { readonly scope: 'system'; readonly name: string }
  | { readonly scope: 'user'; readonly user: string; readonly name: string };

/** What the stored names of all items of a user begin with. No user's name has a colon in it. */
export const ownerPrefix = (user: string): string => `${user}:`;

export const storedName = (key: ItemKey): string =>
  key.scope === 'user' ? ownerPrefix(key.user) + key.name : key.name;

/** What grants are given for. */
export const itemUid = (key: ItemKey): string => `key_value_pair:${FULL_SCOPE[key.scope]}:${storedName(key)}`;
