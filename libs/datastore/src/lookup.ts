import { fault } from '@switchyard/base';
import type { DatastoreKey } from '@switchyard/expressions';
import { boundRole, permissionsOf, type UserPermissions } from '@switchyard/model';
import type { Datastore } from './datastore';
import { itemUid, type ItemKey } from './item-key';

/** Reads items for expressions. @returns the value, or undefined when there is no such item */
export type ItemLookup = (key: DatastoreKey) => Promise<string | undefined>;

/** Who reads items, and what limits them besides their own permissions. */
interface Reader {
  readonly user: string;
  readonly restriction?: UserPermissions;
}

/** The part of access control that expressions need. */
export interface ItemAccess {
  isAdmin(user: string): Promise<boolean> | boolean;
  /** Rejects when the reader lacks the permission on the item. */
  authorise(actor: Reader, permission: string, uid: string): Promise<void> | void;
}

export interface LookupRules {
  /** Owner of the items read when the context names no user. */
  readonly systemUser: string;
  readonly access: ItemAccess;
  /** What a role permits. When absent, executions that a role limits read nothing. */
  readonly restrictionOf?: (limits: { readonly role: string }) => Promise<UserPermissions | undefined>;
}

/**
 * A role that limits the execution limits what it reads. Users read their own items and the system items they may view. A context can come from anybody, so items of its
 * `api_user` (for whom a chat bot runs an alias) are read only when the running user is an administrator.
 */
export const lookupFor =
  ({ systemUser, access, restrictionOf }: LookupRules, get: Datastore['get']) =>
  (context: Readonly<Record<string, unknown>>): ItemLookup => {
    const user = named(context['user']) ?? systemUser;
    const onBehalfOf = named(context['api_user']);
    const role = boundRole(context);
    const reader = async (): Promise<Reader> =>
      role === undefined ? { user } : { user, restriction: (await restrictionOf?.({ role })) ?? NOTHING };
    const mayBeAnybody = ({ restriction }: Reader) => restriction?.isAdmin !== false && access.isAdmin(user);
    return async ({ scope, name, decrypt }) => {
      const who = await reader();
      const owner = onBehalfOf !== undefined && (await mayBeAnybody(who)) ? onBehalfOf : user;
      const key: ItemKey = scope === 'user' ? { scope, user: owner, name } : { scope, name };
      const uid = itemUid(key);
      if (scope === 'system') await access.authorise(who, VIEW, uid);
      // Users need no permission for items of their own, and a role does.
      else if (who.restriction && !who.restriction.allows(VIEW, uid)) throw fault('auth.restricted');
      return (await get(key, decrypt ? { decryptFor: user } : {}))?.value;
    };
  };

const VIEW = 'key_value_pair_view';
const NOTHING = permissionsOf([]);

const named = (name: unknown): string | undefined => (typeof name === 'string' && name !== '' ? name : undefined);
