import { fault, type Micros } from '@switchyard/base';
import { compileSchema, type TriggerTypeRecord } from '@switchyard/model';
import { TIMER_TYPES, WEBHOOK, alwaysChecked } from '../names';
import { checkTimer } from './check-timer';

/**
 * Checks what a rule or a client gives as the parameters of a trigger. They are kept as they were given: defaults of the
 * schema count for the check and no longer.
 * @param whole `system.validate_trigger_parameters`; timers and webhooks are checked in any case
 * @throws Fault `schema.violated`, `trigger.timer-…`, `trigger.webhook-url`
 */
export function checkParameters(
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
  if (ref === WEBHOOK) checkUrl(String(parameters.url));
}

/** Paths that are not a rule's to have: what is posted there names its trigger itself. */
export const GENERIC_HOOKS: readonly string[] = ['st2', 'svc'];

/** A URL is found with or without one slash at either end, so that the store can be asked for each spelling. */
function checkUrl(url: string): void {
  const path = webhookPath(url);
  const isSpelt = webhookSpellings(path).includes(url);
  if (path === '' || !isSpelt || GENERIC_HOOKS.includes(path) || /\p{Cc}/u.test(path))
    throw fault('trigger.webhook-url', { url });
}

/** The path below `/webhooks/` at which a URL is served. */
export const webhookPath = (url: string): string => url.replace(/^\/+|\/+$/g, '');

/** Every way in which rules may write the URL of a path. */
export const webhookSpellings = (path: string): string[] => [path, `/${path}`, `${path}/`, `/${path}/`];
