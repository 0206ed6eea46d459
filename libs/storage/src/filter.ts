/** Values without fields. */
type Leaf = string | number | boolean | bigint | symbol | null | undefined | Date | Uint8Array;

/** Paths below a value: any path for an unknown value, the paths of the elements for a list. */
type PathBelow<V> = unknown extends V
  ? string
  : V extends Leaf
    ? never
    : V extends readonly (infer E)[]
      ? PathBelow<E>
      : string extends keyof V
        ? string
        : RecordPath<V>;

/** The fields of a record, with dotted paths to nested fields: `'claim.instance'`. */
export type RecordPath<T> = {
  [K in keyof T & string]-?: K | `${K}.${PathBelow<NonNullable<T[K]>>}`;
}[keyof T & string];

type BelowAt<V, P extends string> = V extends readonly (infer E)[]
  ? BelowAt<E, P>
  : string extends keyof V
    ? unknown
    : At<V, P>;

/** The type at a path. */
export type At<T, P extends string> = P extends keyof T
  ? Exclude<T[P], undefined>
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof T
      ? BelowAt<NonNullable<T[K]>, Rest>
      : unknown
    : unknown;

type Element<V> = V extends readonly (infer E)[] ? E : V;
type ReadonlyList<V> = V extends readonly (infer E)[] ? readonly E[] : V;

/** The store's form of conditions. Only this package writes it; others use the functions below. */
interface Operators<V> {
  readonly $eq?: V;
  readonly $in?: readonly V[];
  readonly $nin?: readonly V[];
  readonly $ne?: V;
  readonly $gt?: V | undefined;
  readonly $gte?: V | undefined;
  readonly $lt?: V | undefined;
  readonly $lte?: V | undefined;
  readonly $exists?: boolean;
  readonly $size?: number;
  readonly $regex?: string;
  readonly $not?: Operators<V>;
  readonly $elemMatch?: Filter<V>;
}

/** The condition for a field: a value, null for none, or an operator. A list matches if one of its elements does. */
export type FieldCondition<V> = ReadonlyList<V> | Element<V> | null | Operators<Element<V>>;

/** Selects records: all conditions must hold. */
export type Filter<T> = { readonly [P in RecordPath<T>]?: FieldCondition<At<T, P>> } & {
  readonly $and?: readonly Filter<T>[];
  readonly $or?: readonly Filter<T>[];
};

/** 1 for ascending. The first field has the highest priority. */
export type Sort<T> = { readonly [P in RecordPath<T>]?: 1 | -1 };

/** Changes of one write. `unset` names fields; dotted paths address nested fields. */
export interface RecordChange<T> {
  readonly set?: { readonly [P in RecordPath<T>]?: ReadonlyList<At<T, P>> };
  readonly unset?: readonly RecordPath<T>[];
  readonly push?: { readonly [P in RecordPath<T>]?: Element<At<T, P>> };
  /** Several elements for a list, in order. */
  readonly pushAll?: { readonly [P in RecordPath<T>]?: readonly Element<At<T, P>>[] };
  readonly pull?: { readonly [P in RecordPath<T>]?: Element<At<T, P>> };
  readonly inc?: { readonly [P in RecordPath<T>]?: At<T, P> & number };
}

export interface RecordPage<T> {
  readonly filter?: Filter<T>;
  readonly sort?: Sort<T>;
  readonly limit?: number;
  readonly offset?: number;
  /** Stored fields to read; all when absent. */
  readonly fields?: readonly RecordPath<T>[];
  /** The records will not be read again soon, so the embedded store does not keep them in its cache. */
  readonly once?: boolean;
}

/** Records with a value in a field that the compiler cannot check, in code for several kinds of records. */
export const where = <T>(field: string, value: unknown): Filter<T> => ({ [field]: value }) as Filter<T>;

/** Matches one of some values. */
export const isOneOf = <V>(values: Iterable<V>): { readonly $in: readonly V[] } => ({ $in: [...values] });
/** Matches values that are not among some values, and missing ones. */
export const noneOf = <V>(values: Iterable<V>): { readonly $nin: readonly V[] } => ({ $nin: [...values] });
/** Matches a value, for fields with further conditions. */
export const equal = <V>(value: V): { readonly $eq: V } => ({ $eq: value });
/** Matches any other value, and missing ones. */
export const isNot = <V>(value: V): { readonly $ne: V } => ({ $ne: value });
/** Matches values that do not satisfy a condition, and missing ones. */
export const unless = <C extends object>(condition: C): { readonly $not: C } => ({ $not: condition });
export const isThere: { readonly $exists: true } = { $exists: true };
export const above = <V>(value: V): { readonly $gt: V } => ({ $gt: value });
export const below = <V>(value: V): { readonly $lt: V } => ({ $lt: value });
export const atLeast = <V>(value: V): { readonly $gte: V } => ({ $gte: value });
export const atMost = <V>(value: V): { readonly $lte: V } => ({ $lte: value });
/** Matches from one value to another, both included. */
export const between = <V>(least: V, most: V): { readonly $gte: V; readonly $lte: V } => ({ $gte: least, $lte: most });
/** Matches texts by a regular expression of the store. */
export const matchesPattern = (pattern: string): { readonly $regex: string } => ({ $regex: pattern });
/** Matches texts with this prefix. */
export const startingWith = (text: string): { readonly $gte: string; readonly $lt: string } => ({
  $gte: text,
  $lt: text + LAST_CHARACTER,
});
/** Records that match one of several filters. It can be used again and again: the embedded store reads it once. */
export const anyFilter = <T>(filters: readonly Filter<T>[]): { readonly $or: readonly Filter<T>[] } => ({
  $or: Object.freeze([...filters]),
});
/** Records that match all of several filters. */
export const allFilters = <T>(filters: readonly Filter<T>[]): { readonly $and: readonly Filter<T>[] } => ({
  $and: filters,
});

const LAST_CHARACTER = '\u{10ffff}';
