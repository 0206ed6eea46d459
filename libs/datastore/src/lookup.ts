import type { DatastoreKey } from '@switchyard/expressions';
import type { Datastore } from './datastore';
import { itemUid, type ItemKey } from './item-key';

/** Reads items for expressions. @returns the value, or undefined when there is no such item */
export type ItemLookup = (key: DatastoreKey) => Promise<string | undefined>;

/** The part of access control that expressions need. */
export interface ItemAccess {
  isAdmin(user: string): Promise<boolean> | boolean;
  /** Rejects when the user lacks the permission on the item. */
  authorise(actor: { readonly user: string }, permission: string, uid: string): Promise<void> | void;
}

export interface LookupRules {
  /** Owner of the items read when the context names no user. */
  readonly systemUser: string;
  readonly access: ItemAccess;
}

/**
 * Users read their own items and the system items they may view. A context can come from anybody, so items of its
 * `api_user` (for whom a chat bot runs an alias) are read only when the running user is an administrator.
 */
export const lookupFor =
  ({ systemUser, access }: LookupRules, get: Datastore['get']) =>
  (context: Readonly<Record<string, unknown>>): ItemLookup => {
    const user = named(context['user']) ?? systemUser;
    const onBehalfOf = named(context['api_user']);
    const owner = async () => (onBehalfOf !== undefined && (await access.isAdmin(user)) ? onBehalfOf : user);
    return async ({ scope, name, decrypt }) => {
      const key: ItemKey = scope === 'user' ? { scope, user: await owner(), name } : { scope, name };
      if (scope === 'system') await access.authorise({ user }, 'key_value_pair_view', itemUid(key));
      return (await get(key, decrypt ? { decryptFor: user } : {}))?.value;
    };
  };

const named = (name: unknown): string | undefined => (typeof name === 'string' && name !== '' ? name : undefined);
