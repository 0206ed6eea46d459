import { visitPath } from '../values/paths';
import type { Document } from '../values/document';

/** One requirement of a filter; a document matches the filter when every condition holds. */
export interface Condition {
  holds(document: Document): boolean;
  /** Present if the condition is about one path, for the planner and positional updates. */
  readonly on?: PathCondition;
  /** Stands for a filter that is used again and again, and of which this is one of the conditions. */
  readonly lasting?: LastingFilter;
}

export interface LastingFilter {
  /** The number of its conditions. */
  readonly size: number;
}

export interface PathCondition {
  readonly path: string;
  readonly parts: readonly string[];
  /** The operator's name, `$eq` for a plain value. */
  readonly operator: string;
  readonly operand: unknown;
  /** Whether a value at the path matches; for a negative operator, whether it matches the positive one. */
  readonly fits: (leaf: unknown) => boolean;
  readonly negative: boolean;
}

/** A condition that holds if some value at the path matches, or, if negative, if none does. */
export function pathCondition(on: Omit<PathCondition, 'parts'>): Condition {
  const parts = on.path.split('.');
  const { fits, negative } = on;
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) {
    return { on: { ...on, parts }, holds: (document) => fits(ownField(document, first)) !== negative };
  }
  return { on: { ...on, parts }, holds: (document) => visitPath(document, parts, fits) !== negative };
}

const ownField = (document: Document, name: string): unknown =>
  Object.hasOwn(document, name) ? document[name] : undefined;
