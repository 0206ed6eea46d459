import { isPlainObject } from '@switchyard/base';
import { fillDefaults } from '@switchyard/model';

/**
 * The values with the defaults of the schema. Objects and lists that are not given at all exist for the sake of what the schema
 * says about what is in them.
 * @param attributes the schemas of the attributes, by name
 */
export const fillConfig = (
  values: Record<string, unknown>,
  attributes: Record<string, unknown>,
): Record<string, unknown> => fillDefaults(values, { properties: mapped(attributes) }) as Record<string, unknown>;

function withStructures(schema: unknown): unknown {
  if (!isPlainObject(schema)) return schema;
  const { type, properties, patternProperties, additionalProperties, items } = schema;
  const inside = {
    ...schema,
    ...(isPlainObject(properties) ? { properties: mapped(properties) } : {}),
    ...(isPlainObject(items) ? { items: withStructures(items) } : {}),
  };
  if (type === 'array' && items) return { default: [], ...inside };
  if (type === 'object' && (properties || patternProperties || additionalProperties)) return { default: {}, ...inside };
  return inside;
}

const mapped = (schemas: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withStructures(schema)]));
