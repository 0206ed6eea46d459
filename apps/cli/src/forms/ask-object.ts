import { isPlainObject } from '@switchyard/base';
import { askValue, type FormQuestion } from './ask-value';
import type { LineReader } from './line-reader';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Asks for the members of an object one by one, as its JSON schema describes them.
 * @param prefix of the names in questions, for nested objects
 * @throws CommandError if the user interrupts
 */
export async function askObject(reader: LineReader, schema: Schema, prefix = ''): Promise<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  const properties = isPlainObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isPlainObject(property)) continue;
    const required = isRequired(schema, name, property);
    const value = await askProperty(reader, { name: `${prefix}${name}`, schema: property, required });
    if (value !== undefined) given[name] = value;
  }
  return given;
}

/** A property is required by its own `required: true`, or by the object's list of required properties. */
const isRequired = (schema: Schema, name: string, property: Schema): boolean =>
  property['required'] === true || (Array.isArray(schema['required']) && schema['required'].includes(name));

async function askProperty(reader: LineReader, question: FormQuestion): Promise<unknown> {
  const { name, schema } = question;
  if (schema['enum'] === undefined && schema['type'] === 'object' && isPlainObject(schema['properties']))
    return askObject(reader, schema, `${name}.`);
  const { items } = schema;
  if (schema['type'] === 'array' && isPlainObject(items) && isPlainObject(items['properties']))
    return askObjects(reader, question, items);
  return askValue(reader, question);
}

/** Asks for a list of objects, and after each one whether to add another. */
async function askObjects(
  reader: LineReader,
  { name, schema, required }: FormQuestion,
  items: Schema,
): Promise<unknown> {
  const { default: preset } = schema;
  const keep = { name: `Keep ${name} unchanged?`, schema: { type: 'boolean', default: true }, required: false };
  if (Array.isArray(preset) && preset.length > 0 && (await askValue(reader, keep)) === true) return preset;
  const found: unknown[] = [];
  const more = () =>
    askValue(reader, {
      name: found.length === 0 ? `Add to ${name}?` : `Add another to ${name}?`,
      schema: { type: 'boolean', default: false },
      required: false,
    });
  while ((required && found.length === 0) || (await more()) === true)
    found.push(await askObject(reader, items, `${name}[${found.length}].`));
  return found.length > 0 ? found : undefined;
}
