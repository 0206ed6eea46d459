import { isPlainObject, fault } from '@switchyard/base';
import type { ParameterDefinitions } from '../resources/action';
import type { ValuePath, Schema } from '../schema';
import { extractSecrets, schemaOfDefinitions, type Secret, type Extraction } from './extract-secrets';
import { MASK } from './mask';

export interface ParameterExtraction {
  readonly masked: Record<string, unknown>;
  readonly secrets: readonly Secret[];
}

/**
 * Extracts the secrets from an execution's parameters.
 * @param definitions the merged ones of runner and action
 * @param derived names of parameters that are secret as a whole because a template copied a secret into them
 */
export function extractParameterSecrets(
  values: Readonly<Record<string, unknown>>,
  definitions: ParameterDefinitions,
  derived: readonly string[] = [],
): ParameterExtraction {
  const { masked, secrets } = extractSecrets(values, schemaOfDefinitions(definitions));
  const given = derived.filter((name) => Object.hasOwn(values, name));
  if (given.length === 0) return { masked: masked as Record<string, unknown>, secrets };
  return {
    masked: { ...(masked as Record<string, unknown>), ...Object.fromEntries(given.map((name) => [name, MASK])) },
    // A derived secret is extracted as a whole, replacing the parts marked in its definition.
    secrets: [
      ...secrets.filter(({ path }) => !given.includes(String(path[0]))),
      ...given.map((name) => ({ path: [name], value: values[name] })),
    ],
  };
}

/** @param under path of the parameters, for the message @throws Fault `schema.mask` */
export const refuseMaskedParameters = (
  values: Readonly<Record<string, unknown>>,
  definitions: ParameterDefinitions,
  under: ValuePath,
): void => refuseMasks(values, schemaOfDefinitions(definitions), under);

export const maskParameters = (
  values: Readonly<Record<string, unknown>>,
  definitions: ParameterDefinitions,
  derived?: readonly string[],
): Record<string, unknown> => extractParameterSecrets(values, definitions, derived).masked;

/** Puts secrets back where `extractSecrets` found them. Skips paths that no longer exist. */
export function restoreSecrets(masked: unknown, secrets: readonly Secret[]): unknown {
  return secrets.reduce((value, secret) => put(value, secret.path, secret.value), masked);
}

function put(target: unknown, path: Secret['path'], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(target) && typeof step === 'number' && step < target.length) {
    return target.with(step, put(target[step], rest, value));
  }
  if (!isPlainObject(target) || !Object.hasOwn(target, step)) return target;
  return { ...target, [step]: put(target[step], rest, value) };
}

/**
 * Rejects masks in values from users: a mask replaces a secret that was shown, and must not be stored as the secret.
 * @param under path of the value, for the message
 * @throws Fault `schema.mask`
 */
export function refuseMasks(value: unknown, schema: Schema, under: ValuePath = []): void {
  const found = extractSecrets(value, schema).secrets.find((secret) => secret.value === MASK);
  if (!found) return;
  const field = [...under, ...found.path].join('.');
  throw fault('schema.mask', { field, mask: MASK }, { extra: { field } });
}

/**
 * Extracts the secrets from a result, by the action's output schema.
 * @param outputKey the part of the result that the schema describes; by default the whole result
 */
export function extractOutputSecrets(
  result: unknown,
  outputSchema: Schema | undefined,
  outputKey?: string,
): Extraction {
  if (!outputSchema) return { masked: result, secrets: [] };
  if (outputKey === undefined) return extractSecrets(result, schemaFor(outputSchema));
  if (!isPlainObject(result) || !Object.hasOwn(result, outputKey)) return { masked: result, secrets: [] };
  return extractSecrets(result, schemaFor(outputSchema, outputKey));
}

export const maskOutput = (result: unknown, outputSchema: Schema | undefined, outputKey?: string): unknown =>
  extractOutputSecrets(result, outputSchema, outputKey).masked;

const built = new WeakMap<Schema, Map<string | undefined, Schema>>();

/** One schema object for each pair, so that caches by object work. */
function schemaFor(schema: Schema, outputKey?: string): Schema {
  const byKey = built.get(schema) ?? new Map<string | undefined, Schema>();
  built.set(schema, byKey);
  const known = byKey.get(outputKey) ?? build(schema, outputKey);
  byKey.set(outputKey, known);
  return known;
}

/** Without `type`, the schema may be the old form, a map of properties, so both interpretations apply. References keep their root. */
function build(schema: Schema, outputKey: string | undefined): Schema {
  const read = 'type' in schema ? schema : { allOf: [schema, { properties: schema }] };
  return outputKey === undefined ? read : { definitions: schema.definitions, properties: { [outputKey]: read } };
}
