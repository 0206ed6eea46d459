import type { ParameterDefinitions } from '../resources/action';
import type { ValuePath } from '../schema';
import { extractSecrets, schemaOfDefinitions, type Secret } from './extract-secrets';
import { MASK } from './mask';
import { refuseMasks } from './masked-input';

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
