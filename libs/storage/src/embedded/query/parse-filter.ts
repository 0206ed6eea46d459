import { badValue, unsupported } from '../errors';
import { isDocument, type Document } from '../values/document';
import { toStored } from '../values/to-stored';
import { pathCondition, type Condition, type LastingFilter } from './condition';
import { equalTo, patternPredicate, simplePredicates, type Predicate } from './predicates';
import { mingo } from './mingo';

/** A parsed query filter: conditions that must all hold. */
export interface ParsedFilter {
  readonly conditions: readonly Condition[];
  /**
   * Whether it also selects damaged documents, of which only the id and the reason can be read: `{unreadable: {$exists: true}}`. An index
   * still lists them by the values that they had.
   */
  readonly asksForDamaged: boolean;
  matches(document: Document): boolean;
}

/** Parses a MongoDB query filter. @throws MongoServerError for malformed or unsupported filters */
export function parseQuery(source: unknown): ParsedFilter {
  const filter = source === undefined || source === null ? {} : source;
  if (typeof filter !== 'object') throw badValue('the filter must be an object');
  return allOf(Object.entries(filter).flatMap(([key, value]) => parseEntry(key, value)));
}

function allOf(conditions: readonly Condition[]): ParsedFilter {
  const asksForDamaged = conditions.some(isForDamaged);
  const [first] = conditions;
  if (first && conditions.length === 1)
    return { conditions, asksForDamaged, matches: (document) => first.holds(document) };
  return {
    conditions,
    asksForDamaged,
    matches: (document) => conditions.every((condition) => condition.holds(document)),
  };
}

const isForDamaged = (condition: Condition): boolean =>
  isAlternatives(condition)
    ? condition.alternatives.some(({ asksForDamaged }) => asksForDamaged)
    : condition.on?.path === 'unreadable' && condition.on.operator === '$exists' && condition.on.operand === true;

/** Alternatives of `$or` keep their filters, so that the planner can look for indexes. */
export interface Alternatives extends Condition {
  readonly alternatives: readonly ParsedFilter[];
}

export const isAlternatives = (condition: Condition): condition is Alternatives => 'alternatives' in condition;

/** The filter of these conditions, if it is used again and again: what is found out about it can be kept. */
export function lastingOf(conditions: readonly Condition[]): LastingFilter | undefined {
  const lasting = conditions[0]?.lasting;
  if (lasting?.size !== conditions.length) return undefined;
  return conditions.every((each) => each.lasting === lasting) ? lasting : undefined;
}

const logical: Readonly<Record<string, (operand: unknown) => readonly Condition[]>> = {
  $and: (operand) => filters('$and', operand).flatMap((filter) => filter.conditions),
  $or: (operand) => {
    if (!Array.isArray(operand) || !Object.isFrozen(operand)) return alternativesOf(filters('$or', operand));
    const known = frozenLists.get(operand) ?? lasting(alternativesOf(filters('$or', operand).map(lastingFilter)));
    frozenLists.set(operand, known);
    return known;
  },
  $nor: (operand) => {
    const excluded = filters('$nor', operand);
    return [{ holds: (document) => !excluded.some((filter) => filter.matches(document)) }];
  },
  $expr: (operand) => {
    const query = new (mingo().Query)({ $expr: toStored(operand) }, { scriptEnabled: false });
    return [{ holds: (document) => query.test(document) }];
  },
  $comment: () => [],
};

/** A frozen list of alternatives stays the same, so it is parsed once. */
const frozenLists = new WeakMap<readonly unknown[], readonly Condition[]>();

const lastingFilter = ({ conditions }: ParsedFilter): ParsedFilter => allOf(lasting(conditions));

function lasting(conditions: readonly Condition[]): readonly Condition[] {
  const filter = { size: conditions.length };
  return conditions.map((condition) => ({ ...condition, lasting: filter }));
}

function alternativesOf(alternatives: readonly ParsedFilter[]): readonly Condition[] {
  // The planner makes more of plain conditions.
  const [only] = alternatives;
  if (only && alternatives.length === 1) return only.conditions;
  const holds = (document: Document) => alternatives.some((filter) => filter.matches(document));
  return [{ alternatives, holds } as Alternatives];
}

function filters(operator: string, operand: unknown): ParsedFilter[] {
  if (!Array.isArray(operand) || operand.length === 0) throw badValue(`${operator} must be a nonempty array`);
  return operand.map(parseQuery);
}

function parseEntry(key: string, value: unknown): readonly Condition[] {
  if (!key.startsWith('$')) return parsePath(key, value);
  const parse = logical[key];
  if (!parse) throw unsupported(`the query operator "${key}"`);
  return parse(value);
}

function parsePath(path: string, value: unknown): readonly Condition[] {
  if (isOperators(value)) return parseOperators(path, value);
  const operand = toStored(value);
  return [
    pathCondition({
      path,
      operator: operand instanceof RegExp ? '$regex' : '$eq',
      operand,
      fits: equalTo(operand),
      negative: false,
    }),
  ];
}

/** `{$gt: 1}` contains operators; `{a: 1}` is a value to compare with. */
export function isOperators(value: unknown): value is Document {
  if (!isDocument(value)) return false;
  const [first] = Object.keys(value);
  return first !== undefined && first.startsWith('$') && !['$ref', '$id', '$db'].includes(first);
}

function parseOperators(path: string, operators: Document): readonly Condition[] {
  return Object.entries(operators)
    .filter(([operator]) => operator !== '$options')
    .map(([operator, source]) =>
      parseOperator(path, operator, operator === '$not' ? source : toStored(source), operators),
    );
}

const opposites: Readonly<Record<string, string>> = { $ne: '$eq', $nin: '$in' };

function parseOperator(path: string, operator: string, operand: unknown, all: Document): Condition {
  if (operator === '$not') return negation(path, operand);
  const positive = opposites[operator] ?? operator;
  const negative = positive !== operator || (operator === '$exists' && !operand);
  return pathCondition({ path, operator, operand, fits: predicate(positive, operand, all), negative });
}

/** The conditions inside `$not` must not all hold together at the path. */
function negation(path: string, operand: unknown): Condition {
  if (operand instanceof RegExp) {
    return pathCondition({ path, operator: '$not', operand, fits: patternPredicate(operand), negative: true });
  }
  if (!isOperators(operand)) throw badValue('$not needs a regex or a document');
  const inner = parseOperators(path, operand);
  return { holds: (document) => !inner.every((condition) => condition.holds(document)) };
}

function predicate(operator: string, operand: unknown, all: Document): Predicate {
  if (operator === '$regex') return patternPredicate(regex(operand, all['$options']));
  if (operator === '$all') return hasAll(operand);
  if (operator === '$elemMatch') return elementMatching(operand);
  const build = simplePredicates[operator];
  if (!build) throw unsupported(`the query operator "${operator}"`);
  return build(operand);
}

function regex(operand: unknown, options: unknown): RegExp {
  const source = operand instanceof RegExp ? operand.source : String(operand);
  const flags = typeof options === 'string' ? options : operand instanceof RegExp ? operand.flags : '';
  if (/[^imsugy]/.test(flags)) throw unsupported(`the regular expression options "${flags}"`);
  return new RegExp(source, flags);
}

function hasAll(operand: unknown): Predicate {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  const tests = operand.map((item: unknown) =>
    isOperators(item) ? predicate('$elemMatch', item['$elemMatch'], item) : equalTo(item),
  );
  return (leaf) => tests.length > 0 && tests.every((test) => test(leaf));
}

function elementMatching(operand: unknown): Predicate {
  const fits = elementTest(operand);
  return (leaf) => Array.isArray(leaf) && leaf.some(fits);
}

/** Whether an array element matches the operand of `$elemMatch` or `$pull`. */
export function elementTest(operand: unknown): Predicate {
  if (!isDocument(operand)) throw badValue('$elemMatch needs an Object');
  if (isOperators(operand) && !Object.keys(operand).some((key) => key in logical)) {
    const filter = allOf(parseOperators('element', operand));
    return (element) => filter.matches({ element });
  }
  const filter = parseQuery(operand);
  return (element) => (isDocument(element) || Array.isArray(element)) && filter.matches(element as Document);
}
