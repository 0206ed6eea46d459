import { fault, isPlainObject } from '@switchyard/base';
import type { SsoUser } from '../sso-backend';
import type { OidcSettings } from './oidc-settings';

export type Claims = Readonly<Record<string, unknown>>;

/** Whether the claims contain everything that is required. */
export const areComplete = (claims: Claims, { username_claim: user, groups_claim: groups }: OidcSettings): boolean =>
  claimOf(claims, user) !== undefined &&
  (user !== 'email' || claims['email_verified'] !== undefined) &&
  (groups === null || claimOf(claims, groups) !== undefined);

/** @throws Fault `auth.sso-refused` */
export function ssoUserOf(claims: Claims, { username_claim: name, groups_claim: groups }: OidcSettings): SsoUser {
  const user = claimOf(claims, name);
  if (typeof user !== 'string') throw refused(`expected a string in the claim "${name}", got ${kindOf(user)}`);
  // An unverified address could belong to somebody else.
  if (name === 'email' && claims['email_verified'] !== true) throw refused('the provider has not verified the address');
  return { user, ...(groups === null ? {} : { groups: groupsOf(claims, groups) }) };
}

/** A missing claim is a user without groups: providers leave empty ones out. */
function groupsOf(claims: Claims, name: string): readonly string[] {
  const value = claimOf(claims, name) ?? [];
  const groups: unknown = typeof value === 'string' ? [value] : value;
  if (Array.isArray(groups) && groups.every((group) => typeof group === 'string')) return groups;
  throw refused(`expected a list of strings in the claim "${name}", got ${kindOf(value)}`);
}

/** A claim by its name, or by a path of names with dots, such as Keycloak's `realm_access.roles`. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) => (isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      claims,
    );
}

const refused = (text: string) => fault('auth.sso-refused', { text });
const kindOf = (value: unknown): string =>
  value === undefined ? 'nothing' : Array.isArray(value) ? 'a list of other values' : typeof value;
