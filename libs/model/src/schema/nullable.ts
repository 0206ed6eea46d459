import type { Schema } from './violation';

/**
 * Whether null is admitted for a property where "none" is allowed: it has no default or a null one, and need not be given
 * (a null default stands in for a required property too).
 */
export function admitsNone(schema: Schema): boolean {
  const optional = schema.required !== true;
  return (schema.default ?? null) === null && (optional || 'default' in schema);
}
