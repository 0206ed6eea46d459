import { createHash } from 'node:crypto';
import { SECOND_MICROS, type Id, type Micros } from '@switchyard/base';
import type { LimitRecord, PolicyRecord } from '../resources/policy';
import { canonicalJson } from '../schema/json-types';
import { CONCURRENCY, CONCURRENCY_BY_ATTRIBUTE, RATE_LIMIT } from './policy-types';

/** The limit of a policy for one group of executions. */
export interface Limit {
  /** Identifies the group; the id of its LimitRecord. */
  readonly key: string;
  readonly policy: PolicyRecord;
  readonly room: number;
  /** For a policy that limits starts: how long a start counts. Otherwise an execution counts until it ends. */
  readonly perMicros?: number;
}

const LIMITING: readonly string[] = [CONCURRENCY, CONCURRENCY_BY_ATTRIBUTE, RATE_LIMIT];

export const isLimiting = ({ policy_type: type }: PolicyRecord): boolean => LIMITING.includes(type);

/** Parameters whose values define the groups of a policy; without any, all executions of its action are one group. */
export function attributesOf({ policy_type: type, parameters }: PolicyRecord): readonly string[] {
  const { attributes } = parameters;
  return type !== CONCURRENCY && Array.isArray(attributes) ? [...(attributes as string[])].sort() : [];
}

/** Whether executions over the limit are canceled instead of delayed. */
export const cancelsOverLimit = ({ parameters }: PolicyRecord): boolean => parameters['action'] === 'cancel';

/**
 * The limit of a policy for an execution. The key contains only a digest of the values, which may be secret.
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

/** The common prefix of the keys of all groups of a policy. It changes when the policy groups executions
 * differently. */
export const groupsOf = (policy: PolicyRecord): string =>
  `${policy._id}.${digest([policy.policy_type, policy.resource_ref, attributesOf(policy)]).slice(0, 8)}`;

export const groupsOfKey = (key: string): string => key.split(':')[0] as string;

const digest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

type Taken = Pick<LimitRecord, 'holders' | 'starts' | 'takers'>;

/** The starts that still count. */
const recent = (limit: Limit, taken: Taken | undefined, now: Micros) =>
  (taken?.starts ?? []).filter(({ at }) => at > now - (limit.perMicros ?? 0));

export const isHolder = (limit: Limit, taken: Taken | undefined, id: Id, now: Micros): boolean =>
  limit.perMicros === undefined
    ? (taken?.holders.includes(id) ?? false)
    : recent(limit, taken, now).some((start) => start.id === id);

export const roomLeft = (limit: Limit, taken: Taken | undefined, now: Micros): number =>
  limit.room - (limit.perMicros === undefined ? (taken?.holders.length ?? 0) : recent(limit, taken, now).length);

/** When the next start stops counting. @returns undefined if the limit does not depend on time, or has room */
export function opensAt(limit: Limit, taken: Taken | undefined, now: Micros): Micros | undefined {
  if (limit.perMicros === undefined) return undefined;
  const starts = recent(limit, taken, now);
  const first = starts[starts.length - limit.room];
  return first && first.at + limit.perMicros;
}

/**
 * Adds an execution as a holder, or as the last start; for one that is already there, only the taker changes.
 * @param taker the scheduler that may give the room back; undefined for an execution that is already running
 */
export function withHolder(limit: Limit, taken: Taken | undefined, id: Id, now: Micros, taker?: string): Taken {
  const { holders = [], starts = [], takers = {} } = taken ?? {};
  const add = { ...takers, ...(taker === undefined ? {} : { [id]: taker }) };
  if (isHolder(limit, taken, id, now)) return tidy({ holders, starts, takers: add });
  if (limit.perMicros === undefined) return tidy({ starts, holders: [...holders, id], takers: add });
  // Clocks of two machines may differ: within a group, time never goes back.
  const at = Math.max(now, starts.at(-1)?.at ?? 0);
  return tidy({ holders, starts: [...recent(limit, taken, now), { id, at }], takers: add });
}

/** Removes an execution from the group. */
export const withoutHolder = ({ holders, starts, takers = {} }: Taken, id: Id): Taken =>
  tidy({
    holders: holders.filter((holder) => holder !== id),
    starts: starts.filter((start) => start.id !== id),
    takers,
  });

/** Without the takers of executions that have left the group. */
function tidy({ holders, starts, takers = {} }: Taken): Taken {
  const there = new Set([...holders, ...starts.map(({ id }) => id)]);
  return { holders, starts, takers: Object.fromEntries(Object.entries(takers).filter(([id]) => there.has(id))) };
}
