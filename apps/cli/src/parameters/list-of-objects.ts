import { isPlainObject } from '@switchyard/base';
import { convertValue, type Definition } from './convert-value';

/**
 * `--auto-dict`: a list in which every word has a colon stands for one object, `a:1,b:2` → `[{a: 1, b: 2}]`. Members are
 * typed by the `properties` of the definition, or of its `items`. Undefined for any other text.
 */
export function listOfObjects(name: string, definition: Definition | undefined, text: string): object[] | undefined {
  const words = text.split(',');
  if (definition?.['type'] !== 'array' || /^\s*[[{]/.test(text) || !words.every((word) => word.includes(':')))
    return undefined;
  const properties = propertiesOf(definition) ?? propertiesOf(definition['items']);
  const members = words.map((word) => {
    const colon = word.indexOf(':');
    const key = word.slice(0, colon).trim();
    const type = properties?.[key];
    return [key, convertValue(`${name}.${key}`, isPlainObject(type) ? type : undefined, word.slice(colon + 1))];
  });
  return [Object.fromEntries(members) as object];
}

const propertiesOf = (schema: unknown): Record<string, unknown> | undefined =>
  isPlainObject(schema) && isPlainObject(schema['properties']) ? schema['properties'] : undefined;
