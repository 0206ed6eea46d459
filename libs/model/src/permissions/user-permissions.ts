import type { GivenGrant, RoleRecord } from '../resources/role';
import { resourceTypeOf } from './permission-types';

/** Roles that exist without a definition file. */
export const SYSTEM_ROLES = ['system_admin', 'admin', 'observer'] as const;
export type SystemRole = (typeof SYSTEM_ROLES)[number];

/** The roles of administrators, who may do everything. */
export const ADMINISTRATOR_ROLES: readonly string[] = ['system_admin', 'admin'];

/** `all`, or the uids of resources and of packs (`pack:core` stands for what the pack contains). */
export type VisibleResources = 'all' | readonly string[];

/** What the roles of one user allow together. There are no denials. */
export interface UserPermissions {
  readonly roles: readonly string[];
  readonly isAdmin: boolean;
  /**
   * @param resource uid; without it, the permission must be granted for everything
   * @param parents uids whose grants apply to the resource as well, besides that of its pack
   */
  allows(permission: string, resource?: string, parents?: readonly string[]): boolean;
  /** The resources on which the permission is granted. */
  visible(permission: string): VisibleResources;
}

interface RoleGrants extends Pick<RoleRecord, 'name' | 'system'> {
  readonly permission_grants: readonly GivenGrant[];
}

export function permissionsOf(roles: readonly RoleGrants[]): UserPermissions {
  const names = roles.map(({ name }) => name);
  const has = (wanted: string) => roles.some(({ name, system }) => system && name === wanted);
  const isAdmin = ADMINISTRATOR_ROLES.some(has);
  const observes = has('observer');
  const granted = grantsByUid(roles);
  const visibleBy = new Map<string, VisibleResources>();
  const isGranted = (uid: string, including: readonly string[]) => {
    const given = granted.get(uid);
    return given !== undefined && including.some((permission) => given.has(permission));
  };
  const everywhere = (permission: string) =>
    isAdmin || (observes && isReading(permission)) || isGranted(EVERYTHING, includingEverywhere(permission));
  return {
    roles: names,
    isAdmin,
    allows(permission, resource, parents = []) {
      if (everywhere(permission)) return true;
      if (resource === undefined) return false;
      const including = permissionsIncluding(permission);
      return [resource, ...parents].some((uid) => isGranted(uid, including) || isGranted(packUidOf(uid), including));
    },
    visible(permission) {
      let known = visibleBy.get(permission);
      if (known === undefined) {
        const including = permissionsIncluding(permission);
        known = everywhere(permission) ? 'all' : [...granted.keys()].filter((uid) => isGranted(uid, including));
        visibleBy.set(permission, known);
      }
      return known;
    },
  };
}

/** Stands for the uid of a global grant. */
const EVERYTHING = '';

function grantsByUid(roles: readonly RoleGrants[]): Map<string, Set<string>> {
  const granted = new Map<string, Set<string>>();
  for (const { permission_grants: grants } of roles) {
    for (const { resource_uid: uid = EVERYTHING, permission_types: given } of grants) {
      granted.set(uid, new Set([...(granted.get(uid) ?? []), ...given]));
    }
  }
  return granted;
}

/** Observers list, see and search everything. */
const isReading = (permission: string): boolean => /_(view|list|search)$/.test(permission);

/** The intersection of two sets of resources; a pack stands for everything in it. */
export function commonResources(some: VisibleResources, others: VisibleResources): VisibleResources {
  if (some === 'all') return others;
  if (others === 'all') return some;
  const byOthers = knownCommon.get(some) ?? new WeakMap<readonly string[], readonly string[]>();
  const common = byOthers.get(others) ?? intersection(some, others);
  knownCommon.set(some, byOthers.set(others, common));
  return common;
}

/** Permissions that stay the same have the same lists in each request, so the intersection of two is the same list, too. */
const knownCommon = new WeakMap<readonly string[], WeakMap<readonly string[], readonly string[]>>();

function intersection(some: readonly string[], others: readonly string[]): readonly string[] {
  const within = (uids: readonly string[], containing: ReadonlySet<string>) =>
    uids.filter((uid) => containing.has(uid) || containing.has(packUidOf(uid)));
  return [...new Set([...within(some, new Set(others)), ...within(others, new Set(some))])];
}

const IN_PACKS = ['action', 'action_alias', 'rule', 'sensor_type'];

/** The uid of the pack that contains a resource: `pack:core` for `action:core:local`. Empty text for other resources. */
function packUidOf(uid: string): string {
  const [type = '', pack = ''] = uid.split(':', 2);
  return IN_PACKS.includes(type) && pack !== '' ? `pack:${pack}` : NO_RESOURCE;
}

/** No grant has this uid. */
const NO_RESOURCE = ':';

/** Permissions that include viewing the resource: users who may change it may view it. */
const SEEING = ['view', 'create', 'modify', 'delete', 'execute', 'set', 'send', 'rerun', 'stop', 'respond', 'all'];

/** Permissions on other types of resources, mostly parents, that include a permission. */
const INHERITED: Readonly<Record<string, readonly string[]>> = {
  execution_view: ['action_view'],
  execution_rerun: ['action_execute'],
  execution_stop: ['action_execute'],
  rule_enforcement_view: ['rule_view'],
  inquiry_view: ['inquiry_respond', 'action_execute'],
  inquiry_respond: ['inquiry_view', 'action_execute'],
};

const included = new Map<string, readonly string[]>();

/** All permissions that include a permission, among them the permission itself. */
export function permissionsIncluding(permission: string): readonly string[] {
  let known = included.get(permission);
  if (known === undefined) {
    const inherited = (INHERITED[permission] ?? []).flatMap(ownIncluding);
    known = [...new Set([...ownIncluding(permission), ...inherited])];
    included.set(permission, known);
  }
  return known;
}

const includedEverywhere = new Map<string, readonly string[]>();

/** The permission to create API keys or policies does not include viewing all of them. */
function includingEverywhere(permission: string): readonly string[] {
  const known =
    includedEverywhere.get(permission) ??
    permissionsIncluding(permission).filter((each) => each === permission || !each.endsWith('_create'));
  includedEverywhere.set(permission, known);
  return known;
}

/** Permissions on the same type of resource. Lists need their own permission: `action_all` is about single actions. */
function ownIncluding(permission: string): string[] {
  const type = resourceTypeOf(permission);
  if (type === undefined || permission.endsWith('_list')) return [permission];
  const others = permission === `${type}_view` ? SEEING : ['all'];
  return [permission, ...others.map((part) => `${type}_${part}`)];
}
