import { isPlainObject } from '@switchyard/base';
import { isTemplate } from '@switchyard/expressions';
import { schemaBelow } from './schema-below';

/**
 * The schema, but for places where the value has a template: anything fits there, as what it is going to be is not known before
 * it is rendered.
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
