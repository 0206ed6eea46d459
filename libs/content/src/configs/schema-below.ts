import { isPlainObject } from '@switchyard/base';
import { guardedRegExp } from '@switchyard/model';

/** The schema of what lies one step further down in a value, by the first part of a schema that says something about it. */
export function schemaBelow(schema: unknown, step: string | number): Record<string, unknown> | undefined {
  if (!isPlainObject(schema)) return undefined;
  const found = typeof step === 'number' ? itemSchema(schema, step) : propertySchema(schema, step);
  return isPlainObject(found) ? found : undefined;
}

const itemSchema = ({ items, additionalItems }: Record<string, unknown>, index: number): unknown =>
  Array.isArray(items) ? (items[index] ?? additionalItems) : items;

function propertySchema(schema: Record<string, unknown>, name: string): unknown {
  const { properties, patternProperties, additionalProperties } = schema;
  if (isPlainObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  const patterns = isPlainObject(patternProperties) ? Object.entries(patternProperties) : [];
  return patterns.find(([pattern]) => guardedRegExp(pattern).test(name))?.[1] ?? additionalProperties;
}
