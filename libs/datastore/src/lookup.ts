import type { DatastoreKey } from '@switchyard/expressions';
import type { Datastore } from './datastore';
import { itemUid, type ItemKey } from './item-key';

/** Reads for expressions. @returns the text of the item, undefined when there is none */
export type ItemLookup = (key: DatastoreKey) => Promise<string | undefined>;

/** Roles, as far as expressions ask for them. */
export interface ItemAccess {
  isAdmin(user: string): Promise<boolean> | boolean;
  /** Rejects when the user does not have the permission on the item. */
  authorise(user: string, permission: string, uid: string): Promise<void> | void;
}

export interface LookupRules {
  /** Whose items are read where a context names nobody. */
  readonly systemUser: string;
  readonly access: ItemAccess;
}

/**
 * Users read their own items, and those of the system that they may view. Items of the `api_user`, for whom a chat bot
 * runs an alias, are read where the user who runs it may act for others: a context can come from anybody.
 */
export const lookupFor =
  ({ systemUser, access }: LookupRules, get: Datastore['get']) =>
  (context: Readonly<Record<string, unknown>>): ItemLookup => {
    const user = named(context['user']) ?? systemUser;
    const onBehalfOf = named(context['api_user']);
    const owner = async () => (onBehalfOf !== undefined && (await access.isAdmin(user)) ? onBehalfOf : user);
    return async ({ scope, name, decrypt }) => {
      const key: ItemKey = scope === 'user' ? { scope, user: await owner(), name } : { scope, name };
      if (scope === 'system') await access.authorise(user, 'key_value_pair_view', itemUid(key));
      return (await get(key, decrypt ? { decryptFor: user } : {}))?.value;
    };
  };

const named = (name: unknown): string | undefined => (typeof name === 'string' && name !== '' ? name : undefined);
