import { fault, isoToMicros } from '@switchyard/base';
import type { KeyLimits } from '@switchyard/identity';
import type { apiKeyBody } from '@switchyard/model/resources';
import type { Static } from '@sinclair/typebox';

type KeyBody = Static<typeof apiKeyBody>;

/**
 * The limits in a body. Limits that are not in the body stay unchanged, so clients that do not know about limits do not
 * remove them.
 * @throws Fault `auth.key-limit`
 */
export function limitsOf(body: KeyBody, before: KeyLimits = {}): KeyLimits {
  const chosen = <T>(given: T | null | undefined, stored: T | undefined) => (given === undefined ? stored : given);
  const limits = {
    role: chosen(body.role, before.role),
    permission_grants: chosen(body.permission_grants, before.permission_grants),
    allowed_addresses: chosen(body.allowed_addresses, before.allowed_addresses),
    expires_at: chosen(expiryOf(body.expires_at), before.expires_at),
  };
  const isGiven = ([, limit]: [string, unknown]) => limit !== undefined && limit !== null;
  return Object.fromEntries(Object.entries(limits).filter(isGiven));
}

function expiryOf(text: string | null | undefined): number | null | undefined {
  if (text === undefined || text === null) return text;
  const micros = isoToMicros(text);
  if (micros === undefined) throw fault('auth.key-limit', { field: 'expires_at', text: `"${text}" is not a time` });
  return micros;
}
