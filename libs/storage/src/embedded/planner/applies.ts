import type { Index } from '../indexes/index-definition';
import type { Condition, PathCondition } from '../query/condition';
import { compareValues } from '../values/compare';
import { typeOrder } from '../values/type-order';

/** Whether every document that matches the conditions has an entry in the index. */
export function applies(index: Index, conditions: readonly Condition[]): boolean {
  const paths = conditions.flatMap(({ on }) => (on && !on.negative ? [on] : []));
  if (index.record.sparse && !index.fields.some(({ path }) => paths.some((on) => on.path === path && needsValue(on)))) {
    return false;
  }
  return !index.partial || index.partial.conditions.every(({ on }) => on && paths.some((given) => implies(given, on)));
}

/** Whether a condition holds for every document of the index, because the index has no others. */
export const impliedByIndex = ({ partial }: Index, { on }: Condition): boolean =>
  on !== undefined && !on.negative && partial?.conditions.some((each) => each.on && implies(each.on, on)) === true;

/** Whether only documents with the path can match. */
function needsValue({ operator, operand, fits }: PathCondition): boolean {
  return operator === '$exists' || (operator !== '$type' && operand !== null && !fits(undefined));
}

function implies(given: PathCondition, wanted: PathCondition): boolean {
  if (given.path !== wanted.path) return false;
  if (wanted.operator === '$exists') return needsValue(given);
  if (given.operator === '$eq' && !Array.isArray(given.operand)) return wanted.fits(given.operand);
  if (given.operator === '$in')
    return (given.operand as unknown[]).every((value) => isValue(value) && wanted.fits(value));
  return impliesRange(given, wanted);
}

const isValue = (value: unknown): boolean => !Array.isArray(value) && !(value instanceof RegExp);

/** Whether a range lies inside another one. */
function impliesRange(given: PathCondition, wanted: PathCondition): boolean {
  const side = wanted.operator.slice(0, 3);
  if (!['$gt', '$lt'].includes(side) || !given.operator.startsWith(side)) return false;
  if (typeOrder(given.operand) !== typeOrder(wanted.operand)) return false;
  const order = compareValues(given.operand, wanted.operand);
  if (order === 0) return wanted.operator.endsWith('e') || !given.operator.endsWith('e');
  return side === '$gt' ? order > 0 : order < 0;
}
