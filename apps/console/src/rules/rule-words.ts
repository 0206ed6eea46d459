import { t } from '@lingui/core/macro';
import type { RuleRow } from '../api/client';
import { textMember } from '../shared/text-member';
import { timerInWords } from '../timers/timer-words';

interface Criterion {
  readonly type?: string;
  readonly pattern?: unknown;
}

/** The common operators in words. Others are shown by name. */
const OPERATORS: Readonly<Record<string, string>> = {
  equals: t`is`,
  eq: t`is`,
  nequals: t`is not`,
  neq: t`is not`,
  iequals: t`is (in any case)`,
  contains: t`contains`,
  icontains: t`contains (in any case)`,
  ncontains: t`does not contain`,
  startswith: t`begins with`,
  endswith: t`ends with`,
  greaterthan: t`is greater than`,
  gt: t`is greater than`,
  lessthan: t`is less than`,
  lt: t`is less than`,
  exists: t`exists`,
  nexists: t`does not exist`,
  matchregex: t`matches`,
  regex: t`matches`,
  inside: t`is one of`,
  in: t`is one of`,
};

/** One name for each operator of the list above. */
const SYNONYMS = new Set(['eq', 'neq', 'gt', 'lt', 'regex', 'in']);

/** The operators to choose from. */
export const OPERATOR_CHOICES: readonly { value: string; label: string }[] = Object.entries(OPERATORS)
  .filter(([name]) => !SYNONYMS.has(name))
  .map(([value, label]) => ({ value, label }));

const WITHOUT_PATTERN = new Set(['exists', 'nexists']);

/** Whether a rule listens to a trigger, or to triggers of a type. */
export function listensTo({ trigger: given }: RuleRow, trigger: string): boolean {
  const { ref, type } = typeof given === 'object' ? given : { ref: given, type: given };
  return ref === trigger || type === trigger;
}

/** A rule in words: when what happens, if what holds, what runs. */
export function ruleInWords({ trigger, criteria = {}, action }: RuleRow): string {
  const event = eventInWords(trigger);
  const conditions = Object.entries(criteria).map(([path, criterion]) => conditionInWords(path, criterion));
  const run = action?.ref ?? t`nothing`;
  if (conditions.length === 0) return t`${event}, run ${run}.`;
  const given = conditions.join(` ${t`and`} `);
  return isTimed(trigger) ? t`${event}, if ${given}, run ${run}.` : t`${event} and ${given}, run ${run}.`;
}

/** Whether its words begin with a time, and not with "When". */
const isTimed = (trigger: RuleRow['trigger']): boolean =>
  typeof trigger === 'object' && /^core\.st2\.(Interval|Date)Timer$/.test(trigger.type ?? '');

const WEBHOOK = 'core.st2.webhook';
const TIMERS = new Set(['core.st2.IntervalTimer', 'core.st2.DateTimer', 'core.st2.CronTimer']);

/** `Every 5 minutes`, `When the webhook "deploy" is called`, `When core.st2.sensor.process_exit happens` */
function eventInWords(trigger: RuleRow['trigger']): string {
  if (typeof trigger !== 'object') return t`When ${trigger ?? t`an unknown trigger`} happens`;
  const { type = t`an unknown trigger`, parameters = {} } = trigger;
  const url = textMember(parameters, 'url');
  if (type === WEBHOOK && url !== '') return t`When the webhook "${url}" is called`;
  return TIMERS.has(type) ? timerInWords({ type, parameters }) : t`When ${type} happens`;
}

/** What fired an event, where its trigger has a generated name: `Webhook "deploy"`, `Every 5 minutes`. Rules know their triggers. */
export function triggerTitle(ref: string, rules: readonly RuleRow[]): string {
  const trigger = rules
    .map((rule) => rule.trigger)
    .find((each) => typeof each === 'object' && each.ref === ref && each.ref !== each.type);
  if (typeof trigger !== 'object') return ref;
  if (TIMERS.has(trigger.type)) return timerInWords(trigger);
  const url = textMember(trigger.parameters, 'url');
  return trigger.type === WEBHOOK && url !== '' ? t`Webhook "${url}"` : trigger.type;
}

function conditionInWords(path: string, { type = '', pattern }: Criterion): string {
  const operator = OPERATORS[type] ?? type;
  if (WITHOUT_PATTERN.has(type) || pattern === undefined) return `${path} ${operator}`;
  return `${path} ${operator} ${typeof pattern === 'string' ? `"${pattern}"` : JSON.stringify(pattern)}`;
}
