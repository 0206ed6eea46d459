import { isPlainObject } from '@switchyard/base';
import { convertValue, type Definition } from './convert-value';

/**
 * `--auto-dict`: a list in which every element is a text with a colon stands for one object, `a:1,b:2` → `[{a: 1, b: 2}]`.
 * Members are typed by the `properties` of the definition, or of its `items`. Any other list is returned as it is.
 */
export function listOfObjects(name: string, definition: Definition | undefined, list: unknown[]): unknown[] {
  const words = list.filter((item): item is string => typeof item === 'string' && item.includes(':'));
  if (list.length === 0 || words.length !== list.length) return list;
  const properties = propertiesOf(definition) ?? propertiesOf(definition?.['items']);
  const members = words.map((word) => {
    const colon = word.indexOf(':');
    const key = word.slice(0, colon).trim();
    const type = properties?.[key];
    return [key, convertValue(`${name}.${key}`, isPlainObject(type) ? type : undefined, word.slice(colon + 1))];
  });
  return [Object.fromEntries(members) as Record<string, unknown>];
}

const propertiesOf = (schema: unknown): Record<string, unknown> | undefined =>
  isPlainObject(schema) && isPlainObject(schema['properties']) ? schema['properties'] : undefined;
