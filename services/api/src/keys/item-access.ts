import { fault } from '@switchyard/base';
import { itemUid, type ItemKey, type ItemScope } from '@switchyard/datastore';
import type { RouteRequest } from '@switchyard/http';
import type { AccessControl } from '@switchyard/identity';

type Requester = RouteRequest['requester'];
type Roles = Pick<AccessControl, 'enabled' | 'authorise'>;

/**
 * The user whose items a request refers to: the caller, unless an administrator names another user. Without roles
 * everybody counts as administrator, and nobody may name another user.
 * @throws Fault `datastore.other-user`
 */
export function itemOwner(requester: Requester, { enabled }: Roles, named: string | null | undefined): string {
  if (!named || named === requester.user) return requester.user;
  if (!enabled || !requester.isAdmin) throw fault('datastore.other-user');
  return named;
}

/** The item that a request names in its path. */
export const itemKey = (scope: ItemScope, user: string, name: string): ItemKey =>
  scope === 'user' ? { scope, user, name } : { scope, name };

/**
 * Items of the user scope need no grant: `itemOwner` refuses access to those of others. @throws Fault `auth.forbidden`
 */
export async function authoriseItem(
  { isAdmin, user }: Requester,
  access: Roles,
  permission: string,
  key: ItemKey,
): Promise<void> {
  if (key.scope === 'system' && !isAdmin) await access.authorise(user, permission, itemUid(key));
}
