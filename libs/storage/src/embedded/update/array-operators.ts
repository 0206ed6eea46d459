import { badValue, serverError, ServerErrorCode, unsupported } from '../errors';
import { equalTo, type Predicate } from '../query/predicates';
import { elementTest, isOperators } from '../query/parse-filter';
import { parseSort, sortBy } from '../query/sort';
import { compareValues, equalValues } from '../values/compare';
import { copyValue } from '../values/copy';
import { isDocument, type Document } from '../values/document';
import type { FieldOperator } from './field-operators';
import { findSlot, makeSlot } from './update-path';

/** Operators on arrays. */
export const arrayOperators: Readonly<Record<string, FieldOperator>> = {
  $push: (document, parts, operand) => {
    const { each, ...modifiers } = eachOf('$push', operand, new Set(['$each', '$slice', '$position', '$sort']));
    return change('$push', document, parts, (items) => arranged(items, each, modifiers));
  },
  $addToSet: (document, parts, operand) => {
    const { each } = eachOf('$addToSet', operand, new Set(['$each']));
    return change('$addToSet', document, parts, (items) => withMissing(items, each));
  },
  $pull: (document, parts, operand) => {
    const unwanted = pullTest(operand);
    return changeExisting('$pull', document, parts, (items) => items.filter((item) => !unwanted(item)));
  },
  $pullAll: (document, parts, operand) => {
    if (!Array.isArray(operand)) throw badValue('$pullAll requires an array argument');
    const unwanted = (item: unknown) => operand.some((value) => equalValues(item, value));
    return changeExisting('$pullAll', document, parts, (items) => items.filter((item) => !unwanted(item)));
  },
  $pop: (document, parts, operand) => {
    if (operand !== 1 && operand !== -1) throw serverError(ServerErrorCode.failedToParse, '$pop expects 1 or -1');
    return changeExisting('$pop', document, parts, (items) => (operand === 1 ? items.slice(0, -1) : items.slice(1)));
  },
};

type Rearrange = (items: readonly unknown[]) => unknown[];

/** Changes the array at a path, creating it if missing. */
function change(operator: string, document: Document, parts: readonly string[], rearrange: Rearrange): boolean {
  const slot = makeSlot(document, parts);
  const before = slot.read();
  const after = rearrange(before === undefined ? [] : arrayAt(operator, parts, before));
  if (before !== undefined && compareValues(before, after) === 0) return false;
  slot.write(after);
  return true;
}

function changeExisting(operator: string, document: Document, parts: readonly string[], rearrange: Rearrange): boolean {
  if (findSlot(document, parts)?.read() === undefined) return false;
  return change(operator, document, parts, rearrange);
}

function arrayAt(operator: string, parts: readonly string[], value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const message =
    operator === '$push'
      ? `The field '${parts.join('.')}' must be an array but is of type ${typeof value}`
      : `Cannot apply ${operator} to a non-array value`;
  throw serverError(ServerErrorCode.badValue, message);
}

interface Modifiers {
  readonly $slice?: unknown;
  readonly $position?: unknown;
  readonly $sort?: unknown;
}

function eachOf(
  operator: string,
  operand: unknown,
  known: ReadonlySet<string>,
): Modifiers & { each: readonly unknown[] } {
  if (!isDocument(operand) || !('$each' in operand)) return { each: [copyValue(operand)] };
  for (const name of Object.keys(operand)) if (!known.has(name)) throw unsupported(`"${name}" in ${operator}`);
  const { $each, ...modifiers } = operand;
  if (!Array.isArray($each)) throw badValue(`The argument to $each in ${operator} must be an array`);
  return { ...modifiers, each: $each.map(copyValue) };
}

function arranged(
  items: readonly unknown[],
  added: readonly unknown[],
  { $position, $sort, $slice }: Modifiers,
): unknown[] {
  const result = [...items];
  result.splice(typeof $position === 'number' ? $position : result.length, 0, ...added);
  const sorted = $sort === undefined ? result : sortedElements(result, $sort);
  if (typeof $slice !== 'number') return sorted;
  return $slice < 0 ? sorted.slice($slice) : sorted.slice(0, $slice);
}

function sortedElements(items: unknown[], sort: unknown): unknown[] {
  if (sort === 1 || sort === -1) return items.sort((a, b) => sort * compareValues(a, b));
  return sortBy(items, (item) => (isDocument(item) ? item : {}), parseSort(sort));
}

function withMissing(items: readonly unknown[], candidates: readonly unknown[]): unknown[] {
  const result = [...items];
  for (const candidate of candidates) {
    if (!result.some((item) => equalValues(item, candidate))) result.push(candidate);
  }
  return result;
}

/** Tests what `$pull` removes: elements that equal a value, match operators, or are objects that match a filter. */
function pullTest(operand: unknown): Predicate {
  if (isOperators(operand) || isDocument(operand)) return elementTest(operand);
  if (Array.isArray(operand)) return (element) => equalValues(element, operand);
  const equal = equalTo(operand);
  return (element) => !Array.isArray(element) && equal(element);
}
