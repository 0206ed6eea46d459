import { isPlainObject } from '@switchyard/base';
import type { Terminal } from '../terminal';
import { askObject } from './ask-object';
import { withLineReader } from './line-reader';
import { reviewValues } from './review-values';

/**
 * Asks for the configuration of a pack, question by question. On a terminal the user can review and edit it at the end.
 * @param attributes a schema for each attribute @param before the current values, which are the defaults
 */
export async function askConfiguration(
  terminal: Terminal,
  pack: string,
  attributes: Record<string, unknown>,
  before: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const schema = withPresets({ type: 'object', properties: attributes }, before);
  const answers = await withLineReader(terminal, (reader) => askObject(reader, schema));
  const values = withAnswers(before, answers);
  return terminal.stdin.isTTY ? reviewValues(terminal, `${pack}.yaml`, values) : values;
}

type Schema = Readonly<Record<string, unknown>>;

/** The schema of an object with the current values as defaults. */
function withPresets(schema: Schema, values: Readonly<Record<string, unknown>>): Schema {
  if (!isPlainObject(schema['properties'])) return schema;
  const properties = Object.entries(schema['properties']).map(([name, property]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (!isPlainObject(property) || value === undefined || value === null) return [name, property];
    return [
      name,
      isPlainObject(value) ? withPresets({ ...property, default: value }, value) : { ...property, default: value },
    ];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Schema };
}

/** The current values with the answers applied, including values without a question. */
function withAnswers(
  values: Readonly<Record<string, unknown>>,
  answers: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...values };
  for (const [name, answer] of Object.entries(answers)) {
    const before = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = isPlainObject(answer) && isPlainObject(before) ? withAnswers(before, answer) : answer;
    const nothing = before === undefined && isPlainObject(value) && Object.keys(value).length === 0;
    if (!nothing) merged[name] = value;
  }
  return merged;
}
