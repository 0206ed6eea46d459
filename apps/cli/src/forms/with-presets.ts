import { isPlainObject } from '@switchyard/base';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of an object whose defaults are the values that there are already. */
export function withPresets(schema: Schema, values: Readonly<Record<string, unknown>>): Schema {
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

/** What was answered, besides what nobody asked for. */
export function withAnswers(
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
