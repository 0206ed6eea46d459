import { isPlainObject } from '@switchyard/base';
import type { ParameterDefinitions } from '../resources/action';
import type { Schema } from '../schema';
import { MASK } from './mask';
import { applicable, schemaOfItem, schemasOfProperty } from './secret-schemas';

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
