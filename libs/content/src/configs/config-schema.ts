import { isPlainObject } from '@switchyard/base';
import { isTemplate } from '@switchyard/expressions';
import { guardedRegExp } from '@switchyard/model';

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

/** The schema of an item or member of a value: the first of `properties`, matching patterns and the additional ones that has it. */
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
  const matching = patterns.filter(([pattern]) => guardedRegExp(pattern).test(name)).map(([, found]) => found);
  // A composition of all of them; where they contradict each other, the last one counts.
  return matching.length > 0 ? Object.assign({}, ...matching) : additionalProperties;
}

/**
 * Fills in the defaults of the schema for missing values, at every level. Missing objects and lists are created, so that defaults inside them
 * apply. Null is a value, except for an object or a list that the schema describes.
 * @param attributes the schemas of the attributes, by name
 */
export const fillConfig = (
  values: Record<string, unknown>,
  attributes: Record<string, unknown>,
): Record<string, unknown> => fillMembers(values, { properties: attributes });

function fillMembers(values: Record<string, unknown>, schema: Record<string, unknown>): Record<string, unknown> {
  const { properties } = schema;
  const names = new Set([...Object.keys(values), ...(isPlainObject(properties) ? Object.keys(properties) : [])]);
  const members = [...names].map((name) => {
    const member = schemaBelow(schema, name) ?? {};
    const given = Object.hasOwn(values, name) ? values[name] : member['default'];
    return [name, filled(given, member)] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function filled(value: unknown, schema: Record<string, unknown>): unknown {
  const given = value ?? structureOf(schema) ?? value;
  if (Array.isArray(given)) return given.map((item, index) => filled(item, schemaBelow(schema, index) ?? {}));
  return isPlainObject(given) ? fillMembers(given, schema) : given;
}

function structureOf(schema: Record<string, unknown>): unknown {
  const { type, properties, patternProperties, additionalProperties, items } = schema;
  if (type === 'array' && items) return [];
  return type === 'object' && (properties || patternProperties || additionalProperties) ? {} : undefined;
}
