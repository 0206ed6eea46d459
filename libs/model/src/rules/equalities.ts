import { lookUp } from '../criteria/look-up';
import { constantCriterion } from './compile-steps';

/** A criterion that a value of the payload has to be this one. */
export interface Equality {
  /** As it is written, `trigger.body.name#1`. */
  readonly key: string;
  readonly value: string;
}

const OPERATORS: readonly string[] = ['eq', 'equals'];

/**
 * The criteria with which a rule begins that compare with a value that is always the same. Where one of them does not hold,
 * the rule does not match, and nothing else about it has to be known: nothing before it can be a mistake to tell about.
 * @param isTemplate tells patterns that have to be rendered
 */
export function leadingEqualities(
  criteria: Readonly<Record<string, unknown>>,
  isTemplate: (text: string) => boolean,
): Equality[] {
  const found: Equality[] = [];
  for (const [key, entry] of Object.entries(criteria)) {
    const criterion = constantCriterion(entry, isTemplate);
    const value = criterion && OPERATORS.includes(criterion.type) ? indexed(criterion.pattern) : undefined;
    if (value === undefined || !isPath(key)) break;
    found.push({ key, value });
  }
  return found;
}

/** Equal for values that the operator calls equal. @returns undefined for what is compared in depth, or equals nothing */
export function indexed(value: unknown): string | undefined {
  if (typeof value === 'string') return `s${value}`;
  return typeof value === 'number' || typeof value === 'boolean' ? `n${Number(value)}` : undefined;
}

function isPath(key: string): boolean {
  try {
    lookUp({}, key);
    return true;
  } catch {
    return false;
  }
}
