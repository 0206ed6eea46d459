import { fault, type Micros, checkPatternLength } from '@switchyard/base';
import { compileSchema, type TriggerTypeRecord, parseDate, pythonRepr, pythonStr } from '@switchyard/model';
import { TIMER_TYPES, WEBHOOK, alwaysChecked, CRON_TIMER, DATE_TIMER, INTERVAL_TIMER } from './trigger-record';
import { checkWebhookSignature, checkWebhookUrl, webhookSignatureOf } from './webhooks';
import { CRON_FIELDS, parseCron } from './timers/cron-fields';

/**
 * Checks the parameters of a trigger from a rule or a client. Schema defaults apply to the check only; the parameters are
 * stored as given.
 * @param whole `system.validate_trigger_parameters`; timers and webhooks are always checked
 * @throws Fault `schema.violated`, `trigger.timer-…`, `trigger.webhook-url`, `trigger.webhook-signature`
 */
export function checkTriggerParameters(
  type: Pick<TriggerTypeRecord, 'ref' | 'parameters_schema'>,
  parameters: Readonly<Record<string, unknown>>,
  {
    whole,
    now,
    maxPatternLength,
  }: { readonly whole: boolean; readonly now: Micros; readonly maxPatternLength?: number | undefined },
): void {
  const { ref, parameters_schema: schema } = type;
  if (!whole && !alwaysChecked(ref)) return;
  compileSchema(schema, { allowNone: true }).assert(parameters, ['parameters']);
  if (TIMER_TYPES.includes(ref)) checkTimer(ref, parameters, now, maxPatternLength);
  if (ref !== WEBHOOK) return;
  checkWebhookUrl(String(parameters.url));
  const signature = webhookSignatureOf({ parameters });
  if (signature) checkWebhookSignature(signature);
}

type Parameters = Readonly<Record<string, unknown>>;

/** The longest supported interval: a thousand years. */
const LONGEST_WEEKS = 52_000;
const SECONDS = new Map([
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
  ['weeks', 604_800],
]);

/**
 * Checks what the schema of a timer cannot: interval, date, cron fields and time zone.
 * @param parameters already valid against the schema of the type
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

/** Accepts IANA time zone names in upper or lower case. */
function checkZone(zone: unknown): void {
  if (zone === undefined || zone === null) return;
  const name = pythonStr(zone);
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    throw fault('trigger.timer-zone', { zone: name });
  }
}
