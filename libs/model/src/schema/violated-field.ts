import type { SchemaViolation } from './compile-schema';
import type { Path } from './violation';

const MISSING = /^'(.*)' is a required property$/s;

/**
 * The field that a violation is about. The texts, which are those of Python's jsonschema, do not name it; what is missing is
 * named in the text alone, as a path leads to the object that lacks it.
 */
export function violatedField({ path, keyword, message }: Pick<SchemaViolation, 'path' | 'keyword' | 'message'>): Path {
  const missing = keyword === 'required' ? MISSING.exec(message)?.[1] : undefined;
  return missing === undefined || path.at(-1) === missing ? path : [...path, missing];
}
