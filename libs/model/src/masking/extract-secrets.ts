import { isPlainObject } from '@switchyard/base';
import type { ParameterDefinitions } from '../resources/action';
import { type Schema, guardedRegExp } from '../schema';
import { resolvePointer } from '../schema/resolve-pointer';
import { MASK } from './mask';

export interface Secret {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

export interface Extraction {
  /** The value with each secret masked; shares unchanged parts with the input. */
  readonly masked: unknown;
  readonly secrets: readonly Secret[];
}

/**
 * Extracts the secrets from a value, as marked by `secret: true` in its schema. A secret object or list is extracted as a
 * whole. So are null and empty texts, to hide whether a secret was given.
 */
export function extractSecrets(value: unknown, schema: Schema): Extraction {
  if (!mentionsSecrets(schema)) return { masked: value, secrets: [] };
  const secrets: Secret[] = [];
  const masked = hide(value, [schema], [], { root: schema, secrets });
  return { masked, secrets };
}

export const maskBySchema = (value: unknown, schema: Schema): unknown => extractSecrets(value, schema).masked;

const asSchema = new WeakMap<ParameterDefinitions, Schema>();

/** The schema of parameter definitions, one cached object per set. */
export function schemaOfDefinitions(definitions: ParameterDefinitions): Schema {
  const schema = asSchema.get(definitions) ?? { properties: definitions };
  asSchema.set(definitions, schema);
  return schema;
}

interface Hiding {
  readonly root: Schema;
  readonly secrets: Secret[];
}

function hide(value: unknown, given: readonly unknown[], path: readonly (string | number)[], hiding: Hiding): unknown {
  const schemas = [...applicable(given, hiding.root)];
  if (schemas.some(({ secret }) => secret === true)) {
    hiding.secrets.push({ path, value });
    return MASK;
  }
  if (schemas.length === 0) return value;
  if (Array.isArray(value)) return hideItems(value, schemas, path, hiding);
  return isPlainObject(value) ? hideProperties(value, schemas, path, hiding) : value;
}

function hideItems(
  values: readonly unknown[],
  schemas: readonly Record<string, unknown>[],
  path: readonly (string | number)[],
  hiding: Hiding,
): readonly unknown[] {
  const masked = values.map((value, index) => {
    const below = schemas.map((schema) => schemaOfItem(schema, index)).filter(isPlainObject);
    return below.length === 0 ? value : hide(value, below, [...path, index], hiding);
  });
  return masked.some((value, index) => value !== values[index]) ? masked : values;
}

function hideProperties(
  value: Readonly<Record<string, unknown>>,
  schemas: readonly Record<string, unknown>[],
  path: readonly (string | number)[],
  hiding: Hiding,
): Readonly<Record<string, unknown>> {
  let masked: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const below = schemas.flatMap((schema) => schemasOfProperty(schema, name)).filter(isPlainObject);
    const item = below.length === 0 ? value[name] : hide(value[name], below, [...path, name], hiding);
    if (item !== value[name]) setMember((masked ??= { ...value }), name, item);
  }
  return masked ?? value;
}

/** `__proto__` is an ordinary member. */
const setMember = (target: Record<string, unknown>, name: string, value: unknown): unknown =>
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });

const mentions = new WeakMap<Schema, boolean>();

/** Most schemas have no secrets and need no traversal. */
function mentionsSecrets(schema: Schema): boolean {
  const known = mentions.get(schema) ?? JSON.stringify(schema).includes('"secret":true');
  mentions.set(schema, known);
  return known;
}

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
function schemasOfProperty(schema: Schema, name: string): unknown[] {
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

function schemaOfItem({ items, additionalItems }: Schema, index: number): unknown {
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
