import { isPlainObject } from '@switchyard/base';
import { guardedRegExp } from '../schema';
import { resolvePointer } from '../schema/resolve-pointer';

/** Every schema that has a say about one value: the schema itself, what it refers to, and all of its alternatives. */
export function applicable(
  schema: unknown,
  root: unknown,
  found: Record<string, unknown>[] = [],
): Record<string, unknown>[] {
  if (!isPlainObject(schema) || found.includes(schema)) return found;
  found.push(schema);
  if (typeof schema.$ref === 'string') applicable(referred(root, schema.$ref), root, found);
  for (const branches of [schema.allOf, schema.anyOf, schema.oneOf]) {
    if (Array.isArray(branches)) for (const branch of branches) applicable(branch, root, found);
  }
  return found;
}

/** The schemas of a property. */
export function schemasOfProperty(schema: Record<string, unknown>, name: string): unknown[] {
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

export function schemaOfItem({ items, additionalItems }: Record<string, unknown>, index: number): unknown {
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

/** Where a pattern cannot be used, its properties count as matched: better a mask too many than a secret shown. */
function matches(pattern: string, name: string): boolean {
  try {
    return guardedRegExp(pattern).test(name);
  } catch {
    return true;
  }
}
