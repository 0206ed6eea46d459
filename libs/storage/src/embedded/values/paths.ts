import { isDocument, type Document } from './document';

const NUMERIC = /^(0|[1-9]\d*)$/;

export const isArrayIndex = (part: string): boolean => NUMERIC.test(part);

/**
 * Calls `visit` with each value at a dotted path in a document, until it returns true. Arrays on the way are entered element by
 * element and by number. A missing value is visited as undefined; nothing is visited in an array without objects. The last
 * value is visited unchanged: the meaning of an array at the end depends on the operator.
 */
export function visitPath(
  value: unknown,
  parts: readonly string[],
  visit: (leaf: unknown) => boolean,
  from = 0,
): boolean {
  if (from === parts.length) return visit(value);
  const part = parts[from] as string;
  if (Array.isArray(value)) return visitArray(value, parts, visit, from, part);
  if (!isDocument(value)) return visit(undefined);
  return visitPath(Object.hasOwn(value, part) ? value[part] : undefined, parts, visit, from + 1);
}

function visitArray(
  items: readonly unknown[],
  parts: readonly string[],
  visit: (leaf: unknown) => boolean,
  from: number,
  part: string,
): boolean {
  if (isArrayIndex(part) && Number(part) < items.length && visitPath(items[Number(part)], parts, visit, from + 1)) {
    return true;
  }
  return items.some((item) => isDocument(item) && visitPath(item, parts, visit, from));
}

/** The value at a path through objects, and through arrays by number only. */
export function valueAt(document: Document, parts: readonly string[]): unknown {
  let value: unknown = document;
  for (const part of parts) {
    if (Array.isArray(value)) value = isArrayIndex(part) ? value[Number(part)] : undefined;
    else value = isDocument(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}
