import type { Definitions } from '../records/action-record';
import type { Path } from '../schema';
import { extractSecrets, schemaOfDefinitions, type Secret } from './extract-secrets';
import { MASK } from './mask';
import { refuseMasks } from './refuse-masks';

export interface ParameterExtraction {
  readonly masked: Record<string, unknown>;
  readonly secrets: readonly Secret[];
}

/**
 * Takes the secrets out of an execution's parameters.
 * @param definitions the runner's and the action's, merged @param derived names of parameters that are secret as a whole
 *   because a template copied a secret into them
 */
export function extractParameterSecrets(
  values: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  derived: readonly string[] = [],
): ParameterExtraction {
  const { masked, secrets } = extractSecrets(values, schemaOfDefinitions(definitions));
  const given = derived.filter((name) => Object.hasOwn(values, name));
  if (given.length === 0) return { masked: masked as Record<string, unknown>, secrets };
  return {
    masked: { ...(masked as Record<string, unknown>), ...Object.fromEntries(given.map((name) => [name, MASK])) },
    // The whole of a derived secret stands in place of parts that its definition marks.
    secrets: [
      ...secrets.filter(({ path }) => !given.includes(String(path[0]))),
      ...given.map((name) => ({ path: [name], value: values[name] })),
    ],
  };
}

/** @param under where the parameters stand, for the message @throws Fault `schema.mask` */
export const refuseMaskedParameters = (
  values: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  under: Path,
): void => refuseMasks(values, schemaOfDefinitions(definitions), under);

export const maskParameters = (
  values: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  derived?: readonly string[],
): Record<string, unknown> => extractParameterSecrets(values, definitions, derived).masked;
