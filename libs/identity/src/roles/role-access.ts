import { fault, SECOND_MS, type Clock } from '@switchyard/base';
import { commonResources, permissionsOf, uidOfReference, type UserPermissions } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { checkRestriction, type AccessControl } from '../access';
import { recentLookups } from '../credentials/recent-lookups';
import type { RoleBackend } from './role-backend';

export interface RoleAccessDependencies {
  readonly store: {
    readonly roles: Pick<Store['roles'], 'byKey'>;
    readonly roleAssignments: Pick<Store['roleAssignments'], 'ofUser'>;
    readonly revisions: Pick<Store['revisions'], 'of'>;
  };
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * The user for whom a starting system runs a command to check itself. It needs no stored role, and may run nothing else, since
 * the command has a token of this user. Nobody can log in with this name: names in credentials end at a colon.
 */
export const SELF_CHECK_USER = 'system:self-check';

const selfCheckPermissions = permissionsOf([
  {
    name: 'self-check',
    system: false,
    permission_grants: [{ resource_uid: uidOfReference('action', 'core.local'), permission_types: ['action_execute'] }],
  },
]);

/** How long a process may use roles that another process has changed. */
const FRESH_MS = SECOND_MS;
/** After this time everything is read again, in case a process died between a change and its revision. */
const MOST_MS = 10 * SECOND_MS;
/** The number of users with cached permissions. */
const MOST_USERS = 10_000;

/**
 * Access control by the stored roles, while `rbac.enable` is on. A user's permissions are cached until a role or an
 * assignment changes, which is checked at most once a second.
 */
export function createRoleAccess({ store, clock }: RoleAccessDependencies): AccessControl {
  const known = new Map<string, UserPermissions | Promise<UserPermissions>>();
  let revision: number | undefined;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let clearedMs = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;

  const check = async () => {
    // The revision may be older than what is read after it, never newer.
    const askedMs = clock.monotonicMs();
    const now = await store.revisions.of('roles');
    if (now !== revision || askedMs - clearedMs > MOST_MS) {
      known.clear();
      clearedMs = askedMs;
    }
    revision = now;
    checkedMs = askedMs;
  };
  const read = async (user: string) => {
    const names = new Set((await store.roleAssignments.ofUser(user)).map(({ role }) => role));
    const roles = await Promise.all([...names].map((name) => store.roles.byKey(name)));
    return permissionsOf(roles.filter((role) => role !== undefined));
  };
  const lookUp = (user: string) => {
    const found = known.get(user);
    if (found) return found;
    if (known.size >= MOST_USERS) known.clear();
    const reading = read(user);
    known.set(user, reading);
    const isCurrent = () => known.get(user) === reading;
    reading.then(
      (permissions) => void (isCurrent() && known.set(user, permissions)),
      () => void (isCurrent() && known.delete(user)),
    );
    return reading;
  };
  return accessBy((user) => {
    if (clock.monotonicMs() - checkedMs < FRESH_MS) return lookUp(user);
    checking ??= check().finally(() => (checking = undefined));
    return checking.then(() => lookUp(user));
  });
}

/** Access control by the roles of a backend. Its answers are cached for up to two seconds. */
export function createBackendAccess(
  backend: Pick<RoleBackend, 'permissionsOf'>,
  { clock }: Pick<RoleAccessDependencies, 'clock'>,
): AccessControl {
  const recent = recentLookups<UserPermissions>(clock);
  const nothing = permissionsOf([]);
  return accessBy(async (user) => (await recent.get(user, () => backend.permissionsOf(user))) ?? nothing);
}

/** @param known the permissions of a user. Each request asks several times, so known ones are used without waiting */
function accessBy(known: (user: string) => UserPermissions | Promise<UserPermissions>): AccessControl {
  const permissionsFor = (user: string) => (user === SELF_CHECK_USER ? selfCheckPermissions : known(user));
  const ask = <T>(user: string, question: (permissions: UserPermissions) => T): T | Promise<T> => {
    const permissions = permissionsFor(user);
    return permissions instanceof Promise ? permissions.then(question) : question(permissions);
  };
  return {
    enabled: true,
    isAdmin: (user) => ask(user, ({ isAdmin }) => isAdmin),
    rolesOf: (user) => ask(user, ({ roles }) => roles),
    async authorise(actor, permission, resource, parents) {
      const { user } = actor;
      checkRestriction(actor, permission, resource, parents);
      const isAllowed = ask(user, (permissions) => permissions.allows(permission, resource, parents));
      if (typeof isAllowed === 'boolean' ? isAllowed : await isAllowed) return;
      if (resource === undefined) throw fault('auth.forbidden', { user, permission });
      throw fault('auth.forbidden-resource', { user, permission, resource });
    },
    visible: ({ user, restriction }, permission) =>
      ask(user, (permissions) => {
        const visible = permissions.visible(permission);
        return restriction ? commonResources(visible, restriction.visible(permission)) : visible;
      }),
  };
}
