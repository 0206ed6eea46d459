import { fault } from '@switchyard/base';
import { checkRestriction, type AccessControl, type Requester } from '@switchyard/identity';
import { ADMINISTRATORS, ANY_USER, type Guarded, type Route } from '../routing/route';

type Declared = Pick<Route, 'open' | 'permission' | 'resource' | 'checksPermission' | 'forRestricted'>;

/**
 * Checks a permission that is not about one resource. This comes before parameters are read: without it, not even their
 * errors are answered.
 * @throws Fault `auth.forbidden`, `auth.restricted`, `auth.administrators-only`
 */
export async function authoriseRoute(access: AccessControl, route: Declared, requester: Requester): Promise<void> {
  const { open, permission, resource, checksPermission, forRestricted } = route;
  if (open || permission === undefined || resource || checksPermission) return;
  if (permission === ANY_USER) {
    if (requester.restriction && !forRestricted) throw fault('auth.restricted');
    return;
  }
  if (permission !== ADMINISTRATORS) return access.authorise(requester, permission);
  if (!requester.isAdmin) throw fault('auth.administrators-only');
}

/**
 * Checks the permission on the resources of a request. Administrators need none, so nothing is looked up for them.
 * @throws Fault `auth.forbidden-resource`, `auth.restricted`, `auth.isolated`
 */
export async function authoriseRequest(
  access: AccessControl,
  route: Declared,
  request: Parameters<Route['handle']>[0],
): Promise<void> {
  const { permission = ADMINISTRATORS } = route;
  const { requester } = request;
  if (requester.isAdmin || !route.resource) return;
  const found = await route.resource(request);
  if (found === undefined) return;
  const { user } = requester;
  const all: readonly Guarded[] = [found].flat();
  if (all.length === 0) await access.authorise(requester, permission);
  for (const { uid, parents, owner, isOwn, permission: needed = permission } of all) {
    if (isOwn) checkRestriction(requester, needed, uid, parents);
    else await access.authorise(requester, needed, uid, parents);
    if (owner !== undefined && owner !== user) throw fault('auth.isolated', { user, resource: uid });
  }
}
