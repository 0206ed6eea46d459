import { checkPatternLength, fault, type Micros } from '@switchyard/base';
import { parseDate, pythonRepr, pythonStr } from '@switchyard/model';
import { CRON_TIMER, DATE_TIMER, INTERVAL_TIMER } from '../names';
import { CRON_FIELDS, parseCron } from './cron-fields';

type Parameters = Readonly<Record<string, unknown>>;

/** The longest interval that can be waited for: a thousand years. */
const LONGEST_WEEKS = 52_000;
const SECONDS = new Map([
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
  ['weeks', 604_800],
]);

/**
 * What a schema cannot say about a timer: its interval, date, cron fields and zone make sense.
 * @param parameters have passed the schema of their type
 * @throws Fault `trigger.timer-…`, `request.pattern-too-long`
 */
export function checkTimer(type: string, parameters: Parameters, now: Micros, maxPatternLength?: number): void {
  checkZone(parameters.timezone);
  if (type === INTERVAL_TIMER) checkInterval(parameters);
  if (type === DATE_TIMER) checkDate(parameters, now);
  if (type === CRON_TIMER) checkCron(parameters, maxPatternLength);
}

function checkInterval({ delta, unit }: Parameters): void {
  const seconds = Number(delta) * (SECONDS.get(String(unit)) ?? 1);
  const longest = LONGEST_WEEKS * (SECONDS.get('weeks') ?? 1);
  if (!(seconds >= 1)) throw fault('trigger.timer-delta', { delta: pythonRepr(delta) });
  if (seconds > longest) throw fault('trigger.timer-too-long', { delta: pythonRepr(delta), unit: String(unit) });
}

function checkDate({ date }: Parameters, now: Micros): void {
  if (parseDate(String(date), now) === undefined) throw fault('trigger.timer-date', { date: String(date) });
}

function checkCron(parameters: Parameters, maxPatternLength: number | undefined): void {
  for (const field of CRON_FIELDS) {
    checkPatternLength(pythonStr(parameters[field] ?? ''), `field "${field}" of the cron timer`, maxPatternLength);
  }
  const parsed = parseCron(parameters);
  if ('schedule' in parsed) return;
  const { wrong } = parsed;
  if (wrong === undefined) throw fault('trigger.without-parameters', { type: CRON_TIMER });
  throw fault('trigger.timer-cron', { field: wrong, value: pythonRepr(parameters[wrong]) });
}

/** Zones go by the names of the IANA data base, in any case. */
function checkZone(zone: unknown): void {
  if (zone === undefined || zone === null) return;
  const name = pythonStr(zone);
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    throw fault('trigger.timer-zone', { zone: name });
  }
}
