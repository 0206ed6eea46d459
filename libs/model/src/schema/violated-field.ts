import type { SchemaViolation } from './compile-schema';
import type { ValuePath } from './violation';

const MISSING = /^'(.*)' is a required property$/s;

/**
 * The field of a violation. The messages, which are those of Python's jsonschema, do not contain it. For a missing property,
 * the path leads to the object that lacks it, so its name comes from the message.
 */
export function violatedField({
  path,
  keyword,
  message,
}: Pick<SchemaViolation, 'path' | 'keyword' | 'message'>): ValuePath {
  const missing = keyword === 'required' ? MISSING.exec(message)?.[1] : undefined;
  return missing === undefined || path.at(-1) === missing ? path : [...path, missing];
}
