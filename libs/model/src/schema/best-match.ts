import { hasType, typeNames } from './json-types';
import type { ValuePath, Violation } from './violation';

/**
 * The violation to show, chosen like `best_match` of Python's jsonschema: the one nearest to the top of the value, and
 * among siblings the last one by name. Other violations come before those of an alternative (`anyOf`, `oneOf`). If one of
 * an alternative is chosen, the deepest violation inside it is shown, unless two are equally deep.
 */
export function bestMatch(violations: readonly Violation[]): Violation {
  let best = violations.reduce((a, b) => (compare(b, a) > 0 ? b : a));
  while (best.context.length > 0) {
    const [least, next] = twoLeast(best.context);
    if (next && compare(least, next) === 0) return best;
    best = { ...least, path: [...best.path, ...least.path] };
  }
  return best;
}

function twoLeast(violations: readonly Violation[]): [Violation, Violation | undefined] {
  const sorted = [...violations].sort(compare);
  return [sorted[0] as Violation, sorted[1]];
}

/** Positive if `a` is more relevant than `b`. */
function compare(a: Violation, b: Violation): number {
  return (
    b.path.length - a.path.length ||
    comparePaths(a.path, b.path) ||
    Number(isPlain(a)) - Number(isPlain(b)) ||
    Number(!fitsType(a)) - Number(!fitsType(b))
  );
}

function comparePaths(a: ValuePath, b: ValuePath): number {
  for (let index = 0; index < a.length; index += 1) {
    const [left, right] = [a[index] as string | number, b[index] as string | number];
    if (left !== right && typeof left === typeof right) return left > right ? 1 : -1;
  }
  return 0;
}

const isPlain = ({ keyword }: Violation): boolean => keyword !== 'anyOf' && keyword !== 'oneOf';

const fitsType = ({ schema, value }: Violation): boolean =>
  'type' in schema && typeNames(schema.type).some((name) => hasType(value, name));
