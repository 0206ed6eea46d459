import { checkPatternLength, fault, isPlainObject } from '@switchyard/base';
import { pythonRepr, pythonTypeName } from '../schema/python-repr';
import { CRITERIA_OPERATORS } from './compile-criterion';

/**
 * Checks criteria before they are saved with a rule, including those of searches: each entry must be an object with a known
 * operator and a pattern that is not null.
 * @throws fault `criteria.…`, `request.pattern-too-long` for the first invalid entry
 */
export function checkCriteria(
  criteria: unknown,
  maxPatternLength?: number,
): asserts criteria is Readonly<Record<string, unknown>> {
  if (!isPlainObject(criteria)) throw fault('criteria.not-an-object', { type: pythonTypeName(criteria) });
  for (const [field, entry] of Object.entries(criteria)) checkEntry(field, entry, maxPatternLength);
}

function checkEntry(field: string, entry: unknown, maxPatternLength: number | undefined): void {
  if (!isPlainObject(entry)) throw fault('criteria.entry', { field, type: pythonTypeName(entry) });
  const { type, pattern } = entry;
  if (type === undefined || type === null || type === '') throw fault('criteria.no-operator', { field });
  if (typeof type !== 'string' || !CRITERIA_OPERATORS.includes(type)) {
    const operator = typeof type === 'string' ? type : pythonRepr(type);
    throw fault('criteria.operator-not-allowed', { field, operator, allowed: pythonRepr(CRITERIA_OPERATORS) });
  }
  if (pattern === undefined || pattern === null) throw fault('criteria.no-pattern', { field, operator: type });
  if (typeof pattern === 'string') checkPatternLength(pattern, `pattern of "${field}"`, maxPatternLength);
  if (type === 'search' && isPlainObject(pattern)) checkCriteria(pattern, maxPatternLength);
}
