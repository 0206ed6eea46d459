import { isDocument, type Document } from '../values/document';
import type { Index } from './index-definition';

/** Whether a change may affect the keys of a document in an index. @param changed the names of the top-level fields that differ */
export const isTouched = (
  { paths }: Pick<Index, 'paths'>,
  changed: ReadonlySet<string>,
  before: Document,
  after: Document,
): boolean => paths.some((path) => changed.has(path[0] as string) && differ(before, after, path));

/** Whether a path may have different values in two documents. Does not compare the contents of arrays. */
function differ(before: Document, after: Document, path: readonly string[]): boolean {
  let [a, b]: [unknown, unknown] = [before, after];
  for (const part of path) {
    if (Array.isArray(a) || Array.isArray(b)) return true;
    [a, b] = [memberOf(a, part), memberOf(b, part)];
  }
  return a !== b;
}

const memberOf = (value: unknown, name: string): unknown =>
  isDocument(value) && Object.hasOwn(value, name) ? value[name] : undefined;
