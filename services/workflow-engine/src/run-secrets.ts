import { isPlainObject } from '@switchyard/base';
import type { FinalParameters, PackConfig } from '@switchyard/executions';
import {
  extractParameterSecrets,
  mergeParameters,
  SecretTexts,
  type DefinitionRecord,
  type ExecutionRecord,
  type Schema,
} from '@switchyard/model';

/** The secrets of a run, which must stay masked wherever they are passed on. */
export interface RunSecrets {
  /** Texts and numbers, as texts, that are secret in the inputs and in the configuration of the pack. */
  readonly texts: readonly string[];
  /** The configuration of a chain's pack, which its templates may read. */
  readonly config?: PackConfig;
}

export const NO_SECRETS: RunSecrets = { texts: [] };

/** @param final the inputs, as the run gets them @param config of a chain's pack */
export function runSecretsOf(
  { derived_secrets: derived = [] }: ExecutionRecord,
  { action, runner }: DefinitionRecord,
  { final, config }: { final: FinalParameters; config: PackConfig | undefined },
): RunSecrets {
  const values = { ...final.runnerParameters, ...final.actionParameters };
  const definitions = mergeParameters(runner.runner_parameters, action.parameters);
  const { secrets } = extractParameterSecrets(values, definitions, [...derived, ...final.derivedSecrets]);
  const configured = (config?.secrets ?? []).map((path) => at(config?.values, path));
  const { texts } = SecretTexts.of([...secrets.map(({ value }) => value), ...configured]);
  return { texts, ...(config && config.secrets.length > 0 ? { config } : {}) };
}

/** Says which of a chain's published values are secret. */
export function publishedSecrets({ texts }: RunSecrets, { published }: Record<string, unknown>): Schema | undefined {
  if (texts.length === 0 || !isPlainObject(published)) return undefined;
  const secrets = new SecretTexts(texts);
  const names = Object.keys(published).filter((name) => secrets.holdsSecret(published[name]));
  const properties = Object.fromEntries(names.map((name) => [name, { secret: true }]));
  return names.length === 0 ? undefined : { properties: { published: { properties } } };
}

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((found, step) => (found as Record<string | number, unknown> | undefined)?.[step], value);
