import { createHash } from 'node:crypto';
import { newId, isPlainObject, isFault } from '@switchyard/base';
import { toReference, toUid, type TriggerRecord } from '@switchyard/model';
import type { TriggersDependencies } from './triggers';

export interface TriggerDraft {
  readonly name: string;
  readonly pack: string;
  /** Reference of the trigger type. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly description?: string | undefined;
}

/** Builds the record of a trigger. @param id of the trigger it replaces. Default: a new id */
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
 * The trigger shared by rules with the same type and parameters. Its id and name are derived from them, so that it can be
 * removed and restored, and several processes can create it at once.
 */
export function sharedTrigger({ pack, type, parameters }: Omit<TriggerDraft, 'name' | 'description'>): TriggerRecord {
  const digest = createHash('sha256')
    .update(sortedPythonJson([type, parameters]))
    .digest('hex');
  return triggerRecord({ name: uuidOf(digest), pack, type, parameters }, digest.slice(-ID_DIGITS));
}

const ID_DIGITS = 24;

/** The interface defines these names as random UUIDs (version 4). */
const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A trigger with a generated name: it was created for rules and is removed with the last one. */
export const isNameless = ({ name }: Pick<TriggerRecord, 'name'>): boolean => UUID.test(name);

/**
 * Serializes JSON as Python's `json.dumps(sort_keys=True)` does: sorted keys, `", "` and `": "` separators, ASCII only. The
 * uids of triggers are hashes of this text.
 */
export function sortedPythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedPythonJson).join(', ')}]`;
  if (!isPlainObject(value)) return ascii(JSON.stringify(value) ?? 'null');
  const members = Object.keys(value)
    .sort(byCodePoint)
    .map((key) => `${ascii(JSON.stringify(key))}: ${sortedPythonJson(value[key])}`);
  return `{${members.join(', ')}}`;
}

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Identifies a trigger within its type: equal parameters mean the same trigger. */
export const parametersHash = (parameters: Readonly<Record<string, unknown>>): string =>
  createHash('sha256').update(sortedPythonJson(parameters)).digest('hex');

/** The parameters' part of a trigger's uid. */
export const parametersDigest = (parameters: Readonly<Record<string, unknown>>): string =>
  createHash('md5').update(sortedPythonJson(parameters)).digest('hex');

type Triggers = TriggersDependencies['store']['triggers'];

/** Finds the trigger of a type with exactly these parameters. There is at most one. */
export async function findTrigger(
  triggers: Triggers,
  type: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<TriggerRecord | undefined> {
  const filter = { type, parameters_hash: parametersHash(parameters) };
  return (await triggers.list({ filter, limit: 1 }))[0];
}

/**
 * Stores a trigger unless one with the same type and parameters exists by now.
 * @returns the stored trigger, and whether it is new
 */
export async function insertTrigger(
  triggers: Triggers,
  record: TriggerRecord,
): Promise<{ trigger: TriggerRecord; created: boolean }> {
  try {
    return { trigger: await triggers.insert(record), created: true };
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
    const other = await findTrigger(triggers, record.type, record.parameters);
    if (!other) throw error;
    return { trigger: other, created: false };
  }
}

/** Built-in triggers are stored with the prefix that existing content uses; `core.svc.` is accepted as an alias. */
const STORED = 'core.st2.';
const OWN = 'core.svc.';

/** Returns the stored reference of a trigger or type: `core.st2.webhook` for `core.svc.webhook`. */
export const storedRef = (ref: string): string => (ref.startsWith(OWN) ? `${STORED}${ref.slice(OWN.length)}` : ref);

export const WEBHOOK = 'core.st2.webhook';
export const INTERVAL_TIMER = 'core.st2.IntervalTimer';
export const DATE_TIMER = 'core.st2.DateTimer';
export const CRON_TIMER = 'core.st2.CronTimer';
/** The types fired by the timers service. */
export const TIMER_TYPES: readonly string[] = [INTERVAL_TIMER, DATE_TIMER, CRON_TIMER];

export const FILE_WRITTEN = 'core.st2.action.file_written';
export const ACTION_TRIGGER = 'core.st2.generic.actiontrigger';
export const NOTIFY_TRIGGER = 'core.st2.generic.notifytrigger';
export const INQUIRY_TRIGGER = 'core.st2.generic.inquiry';
export const SENSOR_SPAWN = 'core.st2.sensor.process_spawn';
export const SENSOR_EXIT = 'core.st2.sensor.process_exit';
export const KEY_CREATE = 'core.st2.key_value_pair.create';
export const KEY_UPDATE = 'core.st2.key_value_pair.update';
export const KEY_VALUE_CHANGE = 'core.st2.key_value_pair.value_change';
export const KEY_DELETE = 'core.st2.key_value_pair.delete';

/** These types cannot work with bad parameters or payloads, so they are checked even when validation is off. */
export const alwaysChecked = (type: string): boolean => type === WEBHOOK || TIMER_TYPES.includes(type);
