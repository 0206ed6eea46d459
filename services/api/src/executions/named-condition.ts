import type { Filter } from '@switchyard/storage';

/**
 * Finds executions by the rule, trigger or trigger type that they came from, given by name or by reference. Names of our
 * own triggers begin with `st2.` or with `svc.`: either finds both.
 */
export function namedCondition(field: 'rule' | 'trigger' | 'trigger_type', text: string): Filter {
  if (text.toLowerCase() === 'null') return { [`${field}.name`]: null };
  const names = text
    .split(',')
    .filter((name) => name !== '')
    .flatMap(spellings);
  const condition = names.length === 1 ? names[0] : { $in: names };
  // A name without a dot cannot be a reference, and one condition is found by one index.
  if (!text.includes('.')) return { [`${field}.name`]: condition };
  return { $or: [{ [`${field}.name`]: condition }, { [`${field}.ref`]: condition }] };
}

const PREFIX = /^(core\.)?(st2|svc)\./;

const spellings = (name: string): string[] => {
  const [, pack = '', prefix] = PREFIX.exec(name) ?? [];
  if (prefix === undefined) return [name];
  return [name, name.replace(PREFIX, `${pack}${prefix === 'st2' ? 'svc' : 'st2'}.`)];
};
