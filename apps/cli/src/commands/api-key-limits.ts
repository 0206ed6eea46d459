import { isPlainObject, isoToMicros, microsToIso } from '@switchyard/base';
import type { ApiKeyLimits } from '@switchyard/client';
import type { GivenGrant } from '@switchyard/model';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandError } from '../exit-codes';
import { names } from '../program/common-options';

export interface LimitOptions {
  role?: string;
  permission?: GivenGrant[];
  address?: string[];
  expires?: string;
}

/** Options of a key that permits less than its user's permissions. */
export const withLimits = (command: Command): Command =>
  command
    .option('--role <name>', 'Permit only what this role permits')
    .option('--permission <type[@uid]>', 'Permit only this, on one resource or globally; repeatable', grants)
    .option('--address <address>', 'Accept it only from this address or network; repeatable', names)
    .option('--expires <time>', 'Expire at this time, such as 2030-01-31 or 2030-01-31T12:00:00Z', expiry);

export const limitsOfOptions = ({ role, permission, address, expires }: LimitOptions): ApiKeyLimits => ({
  ...(role === undefined ? {} : { role }),
  ...(permission === undefined ? {} : { permission_grants: permission }),
  ...(address === undefined ? {} : { allowed_addresses: address }),
  ...(expires === undefined ? {} : { expires_at: expires }),
});

/** `webhook_send@webhook:deploy` applies to one resource, `rule_list` is global. */
function grants(text: string, before: GivenGrant[] = []): GivenGrant[] {
  const at = text.indexOf('@');
  const permission_types = [at < 0 ? text : text.slice(0, at)];
  return [...before, at < 0 ? { permission_types } : { resource_uid: text.slice(at + 1), permission_types }];
}

/** Parses a time or a date. */
export function expiry(text: string): string {
  const micros = isoToMicros(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (micros === undefined) throw new InvalidArgumentError('Expected a time such as 2030-01-31T12:00:00Z.');
  return microsToIso(micros);
}

type Field = keyof ApiKeyLimits;

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

const isGrant = (value: unknown): boolean =>
  isPlainObject(value) &&
  isTexts(value['permission_types']) &&
  ['undefined', 'string'].includes(typeof value['resource_uid']);

const forms: Readonly<Record<Field, readonly [expected: string, fits: (value: unknown) => boolean]>> = {
  role: ['the name of a role', (value) => typeof value === 'string'],
  permission_grants: [
    'a list of objects with "permission_types" and optionally "resource_uid"',
    (value) => Array.isArray(value) && value.every(isGrant),
  ],
  allowed_addresses: ['a list of addresses', isTexts],
  expires_at: ['a time', (value) => typeof value === 'string'],
};

/** The limits of a key in a file. @throws CommandError */
export function givenLimits(item: Readonly<Record<string, unknown>>): ApiKeyLimits {
  const given = Object.entries(forms).filter(([field]) => item[field] !== undefined && item[field] !== null);
  for (const [field, [expected, fits]] of given) {
    if (!fits(item[field])) {
      throw new CommandError(`"${field}" of the API key of "${String(item['user'])}" must be ${expected}.`);
    }
  }
  return Object.fromEntries(given.map(([field]) => [field, item[field]]));
}
