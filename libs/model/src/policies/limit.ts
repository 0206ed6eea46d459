import { createHash } from 'node:crypto';
import { SECOND_MICROS, type Id, type Micros } from '@switchyard/base';
import type { LimitRecord, PolicyRecord } from '../records/policy-record';
import { canonicalJson } from '../schema/json-types';
import { CONCURRENCY, CONCURRENCY_BY_ATTRIBUTE, RATE_LIMIT } from './policy-types';

/** The room that a policy gives to one group of executions. */
export interface Limit {
  /** Names the group; the id of its LimitRecord. */
  readonly key: string;
  readonly policy: PolicyRecord;
  readonly room: number;
  /** Room is taken for this time, of a policy that limits starts; else until the execution ends. */
  readonly perMicros?: number;
}

const LIMITING: readonly string[] = [CONCURRENCY, CONCURRENCY_BY_ATTRIBUTE, RATE_LIMIT];

export const isLimiting = ({ policy_type: type }: PolicyRecord): boolean => LIMITING.includes(type);

/** Parameters by whose values a policy tells groups apart; without any, all executions of its action are one group. */
export function attributesOf({ policy_type: type, parameters }: PolicyRecord): readonly string[] {
  const { attributes } = parameters;
  return type !== CONCURRENCY && Array.isArray(attributes) ? [...(attributes as string[])].sort() : [];
}

/** Whether whoever finds no room is canceled instead of waiting. */
export const cancelsOverLimit = ({ parameters }: PolicyRecord): boolean => parameters['action'] === 'cancel';

/**
 * The limit of a policy for an execution. Values, which may be secret, are in the key as a digest.
 * @param values of all parameters, defaults included
 */
export function limitOf(policy: PolicyRecord, values: Readonly<Record<string, unknown>>): Limit {
  const attributes = attributesOf(policy);
  const group = attributes.map((name) => (Object.hasOwn(values, name) ? (values[name] ?? null) : null));
  const { threshold, limit, per } = policy.parameters as Record<string, number>;
  return {
    key: attributes.length === 0 ? groupsOf(policy) : `${groupsOf(policy)}:${digest(group)}`,
    policy,
    room: threshold ?? limit ?? 0,
    ...(policy.policy_type === RATE_LIMIT ? { perMicros: Math.round((per ?? 0) * SECOND_MICROS) } : {}),
  };
}

/** What the keys of all groups of a policy begin with. A change of how it makes groups makes other ones. */
export const groupsOf = (policy: PolicyRecord): string =>
  `${policy._id}.${digest([policy.policy_type, policy.resource_ref, attributesOf(policy)]).slice(0, 8)}`;

export const groupsOfKey = (key: string): string => key.split(':')[0] as string;

const digest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

type Taken = Pick<LimitRecord, 'holders' | 'starts'>;

/** The starts that still take up room. */
const recent = (limit: Limit, taken: Taken | undefined, now: Micros) =>
  (taken?.starts ?? []).filter(({ at }) => at > now - (limit.perMicros ?? 0));

export const isHolder = (limit: Limit, taken: Taken | undefined, id: Id, now: Micros): boolean =>
  limit.perMicros === undefined
    ? (taken?.holders.includes(id) ?? false)
    : recent(limit, taken, now).some((start) => start.id === id);

export const roomLeft = (limit: Limit, taken: Taken | undefined, now: Micros): number =>
  limit.room - (limit.perMicros === undefined ? (taken?.holders.length ?? 0) : recent(limit, taken, now).length);

/** When a start stops taking up room. @returns undefined when that is not a matter of time, or there is room */
export function opensAt(limit: Limit, taken: Taken | undefined, now: Micros): Micros | undefined {
  if (limit.perMicros === undefined) return undefined;
  const starts = recent(limit, taken, now);
  const first = starts[starts.length - limit.room];
  return first && first.at + limit.perMicros;
}

/** With an execution as a holder, or as the last that was started. */
export function withHolder(limit: Limit, taken: Taken | undefined, id: Id, now: Micros): Taken {
  const { holders = [], starts = [] } = taken ?? {};
  if (limit.perMicros === undefined) return { starts, holders: [...holders, id] };
  // Clocks of two machines may differ: time does not go back in one group.
  const at = Math.max(now, starts.at(-1)?.at ?? 0);
  return { holders, starts: [...recent(limit, taken, now), { id, at }] };
}

/** Without what an execution has taken. */
export const withoutHolder = ({ holders, starts }: Taken, id: Id): Taken => ({
  holders: holders.filter((holder) => holder !== id),
  starts: starts.filter((start) => start.id !== id),
});
