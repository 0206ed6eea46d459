import { fault } from '@switchyard/base';
import type { SsoUser } from '../sso-backend';
import type { SamlSettings } from './saml-settings';

/** The attributes of an assertion with a verified signature. */
export type SamlAttributes = Readonly<Record<string, unknown>>;

/** @throws Fault `auth.sso-refused` */
export function samlUserOf(
  attributes: SamlAttributes,
  { username_attribute: name, groups_attribute: groups }: SamlSettings,
): SsoUser {
  const [user, ...others] = textsOf(attributes, name);
  if (user === undefined || others.length > 0) {
    const actual = user === undefined ? 'none' : `${others.length + 1}`;
    throw fault('auth.sso-refused', { text: `expected one string in the attribute "${name}", got ${actual}` });
  }
  return { user, ...(groups === null ? {} : { groups: textsOf(attributes, groups) }) };
}

/** A missing attribute has no values: providers leave empty ones out. */
function textsOf(attributes: SamlAttributes, name: string): string[] {
  const value = Object.hasOwn(attributes, name) ? (attributes[name] ?? []) : [];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.every((each) => typeof each === 'string')) return values;
  throw fault('auth.sso-refused', { text: `expected strings in the attribute "${name}", got other values` });
}
