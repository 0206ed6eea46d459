import { isPlainObject } from '@switchyard/base';
import type { Schema } from '../schema';
import { extractSecrets, type Extraction } from './extract-secrets';

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
