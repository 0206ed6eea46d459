import type { RuleRow } from '../api/client';

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

const WITHOUT_PATTERN = new Set(['exists', 'nexists']);

/** Whether a rule listens to a trigger, or to triggers of a type. */
export function listensTo({ trigger: given }: RuleRow, trigger: string): boolean {
  const { ref, type } = typeof given === 'object' ? given : { ref: given, type: given };
  return ref === trigger || type === trigger;
}

/** A rule in words: when what happens, if what holds, what runs. */
export function ruleInWords({ trigger, criteria = {}, action }: RuleRow): string {
  const event = typeof trigger === 'string' ? trigger : (trigger?.type ?? 'an unknown trigger');
  const conditions = Object.entries(criteria).map(([path, criterion]) => conditionInWords(path, criterion));
  const given = conditions.length === 0 ? '' : ` and ${conditions.join(' and ')}`;
  return `When ${event} happens${given}, run ${action?.ref ?? 'nothing'}.`;
}

function conditionInWords(path: string, { type = '', pattern }: Criterion): string {
  const operator = OPERATORS[type] ?? type;
  if (WITHOUT_PATTERN.has(type) || pattern === undefined) return `${path} ${operator}`;
  return `${path} ${operator} ${typeof pattern === 'string' ? `"${pattern}"` : JSON.stringify(pattern)}`;
}
