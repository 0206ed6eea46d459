import { addressList, fault, isAddressEntry, type AddressList, type Clock } from '@switchyard/base';
import { checkGrant, permissionsOf, type ApiKeyRecord, type UserPermissions } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { isSystemRole } from '../roles/system-roles';
import { recentLookups } from './recent-lookups';

/** The limits of a key that permits less than its user may do. */
export type KeyLimits = Pick<ApiKeyRecord, 'role' | 'permission_grants' | 'allowed_addresses' | 'expires_at'>;

type Roles = Pick<Store['roles'], 'byKey'>;

export const isLimited = ({ role, permission_grants, allowed_addresses, expires_at }: KeyLimits): boolean =>
  [role, permission_grants, allowed_addresses, expires_at].some((limit) => limit !== undefined);

/** @throws Fault `auth.key-limit` */
export async function checkKeyLimits(roles: Roles, limits: KeyLimits): Promise<void> {
  const { role, permission_grants: grants = [], allowed_addresses: addresses = [] } = limits;
  if (role !== undefined && grants.length > 0) {
    throw limitFault('role', 'expected either a role or permission_grants, got both');
  }
  if (role !== undefined && !isSystemRole(role) && !(await roles.byKey(role))) {
    throw limitFault('role', `there is no role "${role}"`);
  }
  grants.forEach((grant, index) => {
    const [problem] = checkGrant(grant);
    if (problem) throw limitFault(`permission_grants.${index}.${problem.path.join('.')}`, problem.text);
  });
  const wrong = addresses.findIndex((entry) => !isAddressEntry(entry));
  if (wrong < 0) return;
  const expected = 'expected an address such as 10.0.0.7, or a network such as 10.1.0.0/16 with a prefix above 0';
  throw limitFault(`allowed_addresses.${wrong}`, `${expected}, got "${addresses[wrong]}"`);
}

const limitFault = (field: string, text: string) => fault('auth.key-limit', { field, text });

const lists = new WeakMap<readonly string[], AddressList>();

/** @throws Fault `auth.expired-key`, `auth.foreign-key-address` */
export function checkKeyUse(
  { expires_at: expiry, allowed_addresses: allowed }: KeyLimits,
  nowMicros: number,
  address: () => string,
): void {
  if (expiry !== undefined && expiry <= nowMicros) throw fault('auth.expired-key');
  if (!allowed) return;
  const list = lists.get(allowed) ?? addressList(allowed);
  lists.set(allowed, list);
  if (!list.includes(address())) throw fault('auth.foreign-key-address');
}

/** Finds the most that a credential permits. @returns undefined if it permits everything that its user may do */
export type RestrictionOf = (
  limits: Pick<KeyLimits, 'role' | 'permission_grants'>,
) => Promise<UserPermissions | undefined>;

/** A role that was removed permits nothing. The permissions of a role may be up to two seconds old. */
export function restrictions({ roles, clock }: { roles: Roles; clock: Pick<Clock, 'monotonicMs'> }): RestrictionOf {
  const ofRole = recentLookups<UserPermissions>(clock);
  const ofGrants = new WeakMap<object, UserPermissions>();
  const read = async (name: string) => {
    if (isSystemRole(name)) return permissionsOf([{ name, system: true, permission_grants: [] }]);
    const role = await roles.byKey(name);
    return permissionsOf(role ? [role] : []);
  };
  return async ({ role, permission_grants: grants }) => {
    if (role !== undefined) return ofRole.get(role, () => read(role));
    if (grants === undefined) return undefined;
    const known = ofGrants.get(grants) ?? permissionsOf([{ name: '', system: false, permission_grants: grants }]);
    ofGrants.set(grants, known);
    return known;
  };
}
