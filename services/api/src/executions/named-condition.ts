import type { ExecutionRecord } from '@switchyard/model';
import { anyFilter, isOneOf, where, type Filter } from '@switchyard/storage';

/**
 * Finds executions by the rule, trigger or trigger type that they came from, given by name or by reference. Names of
 * built-in triggers begin with `st2.` or with `svc.`: either finds both.
 */
export function namedCondition(field: 'rule' | 'trigger' | 'trigger_type', text: string): Filter<ExecutionRecord> {
  const named = (part: 'name' | 'ref', condition: unknown) => where<ExecutionRecord>(`${field}.${part}`, condition);
  if (text.toLowerCase() === 'null') return named('name', null);
  const names = text
    .split(',')
    .filter((name) => name !== '')
    .flatMap(spellings);
  const condition = names.length === 1 ? names[0] : isOneOf(names);
  // A name without a dot cannot be a reference, and a single condition can use one index.
  if (!text.includes('.')) return named('name', condition);
  return anyFilter([named('name', condition), named('ref', condition)]);
}

const PREFIX = /^(core\.)?(st2|svc)\./;

const spellings = (name: string): string[] => {
  const [, pack = '', prefix] = PREFIX.exec(name) ?? [];
  if (prefix === undefined) return [name];
  return [name, name.replace(PREFIX, `${pack}${prefix === 'st2' ? 'svc' : 'st2'}.`)];
};
