import type { Schema } from './violation';

/**
 * Whether a property accepts null when "none" is allowed: it has no default or a null default, and is optional (a null default
 * also satisfies a required property).
 */
export function admitsNone(schema: Schema): boolean {
  const optional = schema.required !== true;
  return (schema.default ?? null) === null && (optional || 'default' in schema);
}
