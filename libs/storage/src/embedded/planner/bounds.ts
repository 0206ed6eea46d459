import type { Condition, PathCondition } from '../query/condition';
import { lastingOf } from '../query/parse-filter';
import { KeyWriter } from '../values/key-writer';
import { TypeOrder, typeOrder } from '../values/type-order';
import type { Index, IndexField } from '../indexes/index-definition';
import type { KeyRange } from '../engine/environment';
import { lastingFindings } from './lasting-findings';

/** A range of keys that begin with the same values. */
export interface FixedRange extends KeyRange {
  /** Where the fixed values end in a key. */
  readonly fixed: number;
}

/** How an index can serve a set of conditions. */
export interface Bounds {
  readonly ranges: readonly FixedRange[];
  /** The number of leading fields with fixed values; `$in` may produce several ranges. */
  readonly points: number;
  /** Whether the next field has a range. */
  readonly ranged: boolean;
  /** The conditions that the ranges fully express, so that documents need no check. */
  readonly covered: ReadonlySet<Condition>;
}

const MOST_RANGES = 1000;
/** Sorts after every key with the same prefix. */
const AFTER = 0xff;
const writer = new KeyWriter();

interface Piece {
  readonly low: Buffer;
  readonly high: Buffer;
}

const knownBounds = lastingFindings<Bounds>();

/** The key ranges of an index that contain all matching documents. */
export const boundsOf = (index: Index, conditions: readonly Condition[]): Bounds =>
  knownBounds(lastingOf(conditions), index, () => computedBounds(index, conditions));

function computedBounds(index: Index, conditions: readonly Condition[]): Bounds {
  const covered = new Set<Condition>();
  let prefixes: Buffer[] = [writer.begin(index.record.space).take()];
  let points = 0;
  for (const field of index.fields) {
    const here = conditions.filter(({ on }) => on?.path === field.path);
    const values = pointsOf(index, field, here, covered);
    if (!values || values.length * prefixes.length > MOST_RANGES) {
      const piece = values ? undefined : rangeOf(index, field, here, covered);
      const pieces = piece ? [piece] : [];
      return { ranges: rangesOf(prefixes, pieces), points, ranged: piece !== undefined, covered };
    }
    prefixes = prefixes.flatMap((prefix) => values.map((value) => Buffer.concat([prefix, value])));
    points += 1;
  }
  return { ranges: rangesOf(prefixes, []), points, ranged: false, covered };
}

function rangesOf(prefixes: readonly Buffer[], pieces: readonly Piece[]): FixedRange[] {
  const ranges = prefixes.flatMap((prefix) => {
    const fixed = prefix.length;
    if (pieces.length === 0) return [{ start: prefix, end: Buffer.concat([prefix, Buffer.of(AFTER)]), fixed }];
    return pieces.map(({ low, high }) => {
      return { start: Buffer.concat([prefix, low]), end: Buffer.concat([prefix, high]), fixed };
    });
  });
  return ranges.sort((a, b) => Buffer.compare(a.start, b.start));
}

/** The encoded values that `$eq` or `$in` requires of a field, without duplicates. */
function pointsOf(
  index: Index,
  field: IndexField,
  conditions: readonly Condition[],
  covered: Set<Condition>,
): Buffer[] | undefined {
  const equal = conditions.find(({ on }) => on && isPoint(on.operator, on.operand));
  const condition = equal ?? conditions.find(({ on }) => on?.operator === '$in' && isPointList(on.operand));
  if (!condition?.on) return undefined;
  const { operator, operand } = condition.on;
  const values = operator === '$in' ? (operand as unknown[]) : [operand];
  let exact = isExact(index, field);
  const encoded = new Map<string, Buffer>();
  for (const value of values) {
    const bytes = writer.beginBare().value(value, field.descending).take();
    exact &&= writer.exact;
    encoded.set(bytes.toString('latin1'), bytes);
  }
  if (exact) covered.add(condition);
  return [...encoded.values()];
}

const isExact = ({ record }: Index, { path }: IndexField): boolean =>
  record.exact && !record.multikeyPaths.includes(path);

const isPoint = (operator: string, operand: unknown): boolean => operator === '$eq' && isIndexable(operand);

const isPointList = (operand: unknown): boolean => Array.isArray(operand) && operand.every(isIndexable);

/** Arrays are indexed by element, and patterns are not values. */
const isIndexable = (value: unknown): boolean => !Array.isArray(value) && !(value instanceof RegExp);

const rangeClasses: ReadonlySet<TypeOrder> = new Set<TypeOrder>([
  TypeOrder.number,
  TypeOrder.string,
  TypeOrder.date,
  TypeOrder.objectId,
]);

interface Side {
  readonly condition: Condition;
  readonly on: PathCondition;
}

/** One range of values of one class. If documents have arrays, only one end can be used. */
function rangeOf(
  index: Index,
  field: IndexField,
  conditions: readonly Condition[],
  covered: Set<Condition>,
): Piece | undefined {
  const usable = conditions.flatMap((condition): Side[] =>
    condition.on && isRange(condition.on) ? [{ condition, on: condition.on }] : [],
  );
  const order = usable[0] && typeOrder(usable[0].on.operand);
  if (order === undefined) return undefined;
  const multikey = index.record.multikeyPaths.includes(field.path);
  const sides = (multikey ? usable.slice(0, 1) : usable).filter(({ on }) => typeOrder(on.operand) === order);
  const lower = sides.find(({ on }) => on.operator.startsWith('$gt'));
  const upper = sides.find(({ on }) => on.operator.startsWith('$lt'));
  const [low, high] = [lower && edge(index, field, lower, covered), upper && edge(index, field, upper, covered)];
  return field.descending ? descendingPiece(order, low, high) : ascendingPiece(order, low, high);
}

/** One end of a range: the encoded value, and whether it is included. */
interface Edge {
  readonly value: Buffer;
  readonly inside: boolean;
}

const ascendingPiece = (order: number, low: Edge | undefined, high: Edge | undefined): Piece => ({
  low: low ? (low.inside ? low.value : behind(low.value)) : Buffer.of(order),
  high: high ? (high.inside ? behind(high.value) : high.value) : Buffer.of(order + 1),
});

/** Descending values are stored inverted, so the greatest comes first. */
const descendingPiece = (order: number, low: Edge | undefined, high: Edge | undefined): Piece => ({
  low: high ? (high.inside ? inverted(high.value) : behind(inverted(high.value))) : Buffer.of(~order & 0xff),
  high: low ? (low.inside ? behind(inverted(low.value)) : inverted(low.value)) : Buffer.of((~order & 0xff) + 1),
});

const behind = (value: Buffer): Buffer => Buffer.concat([value, Buffer.of(AFTER)]);

const inverted = (value: Buffer): Buffer => Buffer.from(value.map((byte) => ~byte & 0xff));

const isRange = ({ operator, operand, negative }: PathCondition): boolean =>
  !negative &&
  ['$gt', '$gte', '$lt', '$lte'].includes(operator) &&
  rangeClasses.has(typeOrder(operand)) &&
  !Number.isNaN(operand);

/** @returns undefined if bytes cannot represent the value */
function edge(index: Index, field: IndexField, { condition, on }: Side, covered: Set<Condition>): Edge | undefined {
  writer.beginBare().value(on.operand);
  if (!writer.exact) return undefined;
  if (isExact(index, field)) covered.add(condition);
  return { value: writer.take(), inside: on.operator.endsWith('e') };
}
