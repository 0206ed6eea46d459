import { isPlainObject } from '@switchyard/base';
import type { Schema } from './violation';

/**
 * Fills in defaults for missing and null properties, at every level of `properties` and `items`. Shares unchanged parts with
 * the input and never changes the input.
 */
export function fillDefaults(value: unknown, schema: unknown): unknown {
  if (!isPlainObject(schema)) return value;
  if (Array.isArray(value)) return fillItems(value, schema.items);
  return isPlainObject(value) ? fillProperties(value, schema) : value;
}

function fillProperties(value: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  if (!isPlainObject(schema.properties)) return value;
  let filled: Record<string, unknown> | undefined;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isPlainObject(property)) continue;
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const chosen = (given ?? null) === null && 'default' in property ? property.default : given;
    const item = fillDefaults(chosen, property);
    if (item !== given) filled = { ...(filled ?? value), [name]: item };
  }
  return filled ?? value;
}

function fillItems(values: readonly unknown[], items: unknown): readonly unknown[] {
  const filled = values.map((value, index) => fillDefaults(value, Array.isArray(items) ? items[index] : items));
  return filled.some((value, index) => value !== values[index]) ? filled : values;
}
