import { isPlainObject } from '@switchyard/base';
import { isTemplate } from '@switchyard/expressions';
import { guardedRegExp, fillDefaults } from '@switchyard/model';

/**
 * Relaxes a schema where the value has a template: its type is unknown until it is rendered, so anything is allowed there.
 */
export function openToTemplates(value: unknown, schema: Record<string, unknown>): Record<string, unknown> {
  if (!isTemplate(value)) return schema;
  const below = (item: unknown, step: string | number) => openToTemplates(item, schemaBelow(schema, step) ?? {});
  if (Array.isArray(value)) return { ...schema, items: value.map(below) };
  if (!isPlainObject(value)) return {};
  const open = Object.entries(value).filter(([, item]) => isTemplate(item));
  const properties = isPlainObject(schema['properties']) ? schema['properties'] : {};
  return {
    ...schema,
    properties: { ...properties, ...Object.fromEntries(open.map(([name, item]) => [name, below(item, name)])) },
  };
}

/** The schema of an item or member of a value: the first part of the schema that applies to it. */
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

/**
 * Fills in the defaults of the schema. Missing objects and lists are created, so that defaults inside them apply.
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
