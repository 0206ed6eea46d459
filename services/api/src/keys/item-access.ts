import { fault } from '@switchyard/base';
import { itemUid, type ItemKey, type ItemScope } from '@switchyard/datastore';
import type { RouteRequest } from '@switchyard/http';
import { checkRestriction, type AccessControl } from '@switchyard/identity';

type Requester = RouteRequest['requester'];
type Roles = Pick<AccessControl, 'enabled' | 'authorise'>;

/**
 * The user whose items a request refers to: the caller, unless an administrator names another user. Without roles,
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
 * Users need no grant for items of the user scope: `itemOwner` refuses access to those of others.
 * @throws Fault `auth.forbidden-resource`, `auth.restricted`
 */
export async function authoriseItem(
  requester: Requester,
  access: Roles,
  permission: string,
  key: ItemKey,
): Promise<void> {
  if (requester.isAdmin) return;
  if (key.scope === 'user') checkRestriction(requester, permission, itemUid(key));
  else await access.authorise(requester, permission, itemUid(key));
}
