import { isPlainObject } from '@switchyard/base';
import { guardedRegExp } from '../schema';
import { resolvePointer } from '../schema/resolve-pointer';

type Schema = Record<string, unknown>;

/**
 * Every schema that applies to one value: the given ones, those they refer to, and all of their alternatives. Each counts once,
 * because alternatives that refer to the whole schema would double their number with each level of the value.
 */
export function applicable(given: readonly unknown[], root: unknown): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  const waiting: unknown[] = [...given];
  for (let schema = waiting.pop(); waiting.length > 0 || schema !== undefined; schema = waiting.pop()) {
    if (!isPlainObject(schema) || found.has(schema)) continue;
    found.add(schema);
    if (typeof schema.$ref === 'string') waiting.push(referred(root, schema.$ref));
    for (const branches of [schema.allOf, schema.anyOf, schema.oneOf])
      if (Array.isArray(branches)) for (const branch of branches) waiting.push(branch);
  }
  return found;
}

/** The schemas of a property. */
export function schemasOfProperty(schema: Schema, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const found: unknown[] = [];
  if (isPlainObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name]);
  if (isPlainObject(patternProperties)) {
    found.push(
      ...Object.keys(patternProperties)
        .filter((p) => matches(p, name))
        .map((p) => patternProperties[p]),
    );
  }
  return found.length > 0 ? found : [additionalProperties];
}

export function schemaOfItem({ items, additionalItems }: Schema, index: number): unknown {
  if (!Array.isArray(items)) return items;
  return index < items.length ? items[index] : additionalItems;
}

function referred(root: unknown, reference: string): unknown {
  try {
    return isPlainObject(root) ? resolvePointer(root, reference) : undefined;
  } catch {
    return undefined;
  }
}

/** If a pattern is invalid, all properties count as matched: masking too much is better than showing a secret. */
function matches(pattern: string, name: string): boolean {
  try {
    return guardedRegExp(pattern).test(name);
  } catch {
    return true;
  }
}
