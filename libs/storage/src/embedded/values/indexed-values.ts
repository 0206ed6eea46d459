import type { Document } from './document';
import { visitPath } from './paths';
import { EMPTY_ARRAY } from './type-order';

/** The values that index and sort a document at a path; never empty. Arrays count element by element. */
export function indexedValues(document: Document, parts: readonly string[]): unknown[] {
  const values: unknown[] = [];
  visitPath(document, parts, (leaf) => {
    if (!Array.isArray(leaf)) values.push(leaf);
    else if (leaf.length === 0) values.push(EMPTY_ARRAY);
    else values.push(...(leaf as unknown[]));
    return false;
  });
  if (values.length === 0) values.push(null);
  return values;
}

/** Whether an array lies on the path or at its end. */
export function hasArrayOn(document: Document, parts: readonly string[]): boolean {
  let value: unknown = document;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return true;
    value = (value as Document)[part];
  }
  return Array.isArray(value);
}
