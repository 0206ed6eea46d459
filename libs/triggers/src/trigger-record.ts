import { createHash } from 'node:crypto';
import { newId } from '@switchyard/base';
import { toReference, toUid, type TriggerRecord } from '@switchyard/model';
import { canonicalJson, parametersDigest, parametersHash } from './parameters/canonical-json';

export interface TriggerDraft {
  readonly name: string;
  readonly pack: string;
  /** Reference of the trigger type. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly description?: string | undefined;
}

/** The record of a trigger. @param id of the one that it replaces, or a new one */
export function triggerRecord(
  { name, pack, type, parameters, description }: TriggerDraft,
  id: string = newId(),
): TriggerRecord {
  return {
    _id: id,
    ref: toReference(pack, name),
    uid: toUid('trigger', pack, name, parametersDigest(parameters)),
    name,
    pack,
    type,
    parameters: { ...parameters },
    parameters_hash: parametersHash(parameters),
    ...(description === undefined ? {} : { description }),
  };
}

/**
 * The trigger that rules share which ask for a type with certain parameters. Whoever makes it makes the same record, id
 * and name included, so that it may go and come back, and several may make it at once.
 */
export function sharedTrigger({ pack, type, parameters }: Omit<TriggerDraft, 'name' | 'description'>): TriggerRecord {
  const digest = createHash('sha256')
    .update(canonicalJson([type, parameters]))
    .digest('hex');
  return triggerRecord({ name: uuidOf(digest), pack, type, parameters }, digest.slice(-ID_DIGITS));
}

const ID_DIGITS = 24;

/** In the form of a random UUID (version 4), which the interface says these names are. */
const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A trigger that nobody gave a name: it was made for rules, and goes with the last one. */
export const isNameless = ({ name }: Pick<TriggerRecord, 'name'>): boolean => UUID.test(name);
