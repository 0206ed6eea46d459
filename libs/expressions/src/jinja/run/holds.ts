import { assertNever } from '@switchyard/base';
import type { ComparisonOperator } from '../syntax/nodes';
import { compare, contains, equals } from '../values/compare';

/** Whether a comparison is true. */
export function holds(operator: ComparisonOperator, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return equals(left, right);
    case '!=':
      return !equals(left, right);
    case 'in':
      return contains(right, left);
    case 'not in':
      return !contains(right, left);
    case '<':
      return compare(left, right, operator) < 0;
    case '<=':
      return compare(left, right, operator) <= 0;
    case '>':
      return compare(left, right, operator) > 0;
    case '>=':
      return compare(left, right, operator) >= 0;
    default:
      return assertNever(operator);
  }
}
