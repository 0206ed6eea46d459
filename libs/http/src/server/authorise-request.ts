import { fault } from '@switchyard/base';
import type { AccessControl, Requester } from '@switchyard/identity';
import { ADMINISTRATORS, ANY_USER, type Guarded } from '../routing/guarded';
import type { Route } from '../routing/route';

type Declared = Pick<Route, 'open' | 'permission' | 'resource' | 'checksPermission'>;

/**
 * Checks a permission that is not about one resource. This comes before parameters are read: without it, not even their
 * errors are answered.
 * @throws Fault `auth.forbidden`, `auth.administrators-only`
 */
export async function authoriseRoute(access: AccessControl, route: Declared, requester: Requester): Promise<void> {
  const { open, permission, resource, checksPermission } = route;
  if (open || permission === undefined || permission === ANY_USER || resource || checksPermission) return;
  if (permission !== ADMINISTRATORS) return access.authorise(requester.user, permission);
  if (!requester.isAdmin) throw fault('auth.administrators-only');
}

/**
 * Checks the permission on the resources of a request. Administrators need none, so nothing is looked up for them, nor
 * while roles are off.
 * @throws Fault `auth.forbidden-resource`, `auth.isolated`
 */
export async function authoriseRequest(
  access: AccessControl,
  route: Declared,
  request: Parameters<Route['handle']>[0],
): Promise<void> {
  const { permission = ADMINISTRATORS } = route;
  if (!access.enabled || request.requester.isAdmin || !route.resource) return;
  const found = await route.resource(request);
  if (found === undefined) return;
  const { user } = request.requester;
  const all: readonly Guarded[] = [found].flat();
  if (all.length === 0) await access.authorise(user, permission);
  for (const { uid, parents, owner, permission: own = permission } of all) {
    await access.authorise(user, own, uid, parents);
    if (owner !== undefined && owner !== user) throw fault('auth.isolated', { user, resource: uid });
  }
}
