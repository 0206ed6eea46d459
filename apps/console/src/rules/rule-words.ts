import type { RuleRow } from '../api/client';
import { textMember } from '../shared/text-member';
import { timerInWords } from '../timers/timer-words';

interface Criterion {
  readonly type?: string;
  readonly pattern?: unknown;
}

/** The common operators in words. Others are shown by name. */
const OPERATORS: Readonly<Record<string, string>> = {
  equals: 'is',
  eq: 'is',
  nequals: 'is not',
  neq: 'is not',
  iequals: 'is (in any case)',
  contains: 'contains',
  icontains: 'contains (in any case)',
  ncontains: 'does not contain',
  startswith: 'begins with',
  endswith: 'ends with',
  greaterthan: 'is greater than',
  gt: 'is greater than',
  lessthan: 'is less than',
  lt: 'is less than',
  exists: 'exists',
  nexists: 'does not exist',
  matchregex: 'matches',
  regex: 'matches',
  inside: 'is one of',
  in: 'is one of',
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
  const joint = event.startsWith('When') ? ' and' : ', if';
  const given = conditions.length === 0 ? '' : `${joint} ${conditions.join(' and ')}`;
  return `${event}${given}, run ${action?.ref ?? 'nothing'}.`;
}

const WEBHOOK = 'core.st2.webhook';
const TIMERS = new Set(['core.st2.IntervalTimer', 'core.st2.DateTimer', 'core.st2.CronTimer']);

/** `Every 5 minutes`, `When the webhook "deploy" is called`, `When core.st2.sensor.process_exit happens` */
function eventInWords(trigger: RuleRow['trigger']): string {
  if (typeof trigger !== 'object') return `When ${trigger ?? 'an unknown trigger'} happens`;
  const { type = 'an unknown trigger', parameters = {} } = trigger;
  const url = textMember(parameters, 'url');
  if (type === WEBHOOK && url !== '') return `When the webhook "${url}" is called`;
  return TIMERS.has(type) ? timerInWords({ type, parameters }) : `When ${type} happens`;
}

/** What fired an event, where its trigger has a generated name: `Webhook "deploy"`, `Every 5 minutes`. Rules know their triggers. */
export function triggerTitle(ref: string, rules: readonly RuleRow[]): string {
  const trigger = rules
    .map((rule) => rule.trigger)
    .find((each) => typeof each === 'object' && each.ref === ref && each.ref !== each.type);
  if (typeof trigger !== 'object') return ref;
  if (TIMERS.has(trigger.type)) return timerInWords(trigger);
  const url = textMember(trigger.parameters, 'url');
  return trigger.type === WEBHOOK && url !== '' ? `Webhook "${url}"` : trigger.type;
}

function conditionInWords(path: string, { type = '', pattern }: Criterion): string {
  const operator = OPERATORS[type] ?? type;
  if (WITHOUT_PATTERN.has(type) || pattern === undefined) return `${path} ${operator}`;
  return `${path} ${operator} ${typeof pattern === 'string' ? `"${pattern}"` : JSON.stringify(pattern)}`;
}
