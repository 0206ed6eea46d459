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
