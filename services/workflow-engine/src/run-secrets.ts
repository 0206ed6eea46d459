import { isPlainObject } from '@switchyard/base';
import type { FinalParameters, Order, PackConfig } from '@switchyard/executions';
import { readsSecret, templateReads } from '@switchyard/expressions';
import {
  extractParameterSecrets,
  mergeParameters,
  pythonRepr,
  type DefinitionRecord,
  type ExecutionRecord,
  type Schema,
} from '@switchyard/model';
import type { ChainNode } from '@switchyard/workflow';

/** What a run works with and what must not be shown where it is handed on. */
export interface RunSecrets {
  /** Texts and numbers, as texts, that are secret in the inputs and in the configuration of the pack. */
  readonly texts: readonly string[];
  /** Of a chain, whose templates read it. */
  readonly config?: PackConfig;
}

export const NO_SECRETS: RunSecrets = { texts: [] };

/** @param final the inputs, as the run gets them @param config of a chain's pack */
export function secretsOf(
  { derived_secrets: derived = [] }: ExecutionRecord,
  { action, runner }: DefinitionRecord,
  { final, config }: { final: FinalParameters; config: PackConfig | undefined },
): RunSecrets {
  const values = { ...final.runnerParameters, ...final.actionParameters };
  const definitions = mergeParameters(runner.runner_parameters, action.parameters);
  const { secrets } = extractParameterSecrets(values, definitions, [...derived, ...final.derivedSecrets]);
  const configured = (config?.secrets ?? []).map((path) => at(config?.values, path));
  const texts = new Set([...secrets.map(({ value }) => value), ...configured].flatMap(leaves).flatMap(forms));
  return { texts: [...texts], ...(config && config.secrets.length > 0 ? { config } : {}) };
}

/**
 * Names of the inputs of a task that a secret went into: those whose templates read one in the configuration, and those in
 * which one is found. What was made of a secret by way of a variable, so that it cannot be recognised, is not found.
 * @param node of a chain
 */
export function secretInputs({ texts, config }: RunSecrets, { input }: Order, node: ChainNode | undefined): string[] {
  if (texts.length === 0) return [];
  return Object.keys(input).filter(
    (name) => (config && reads(config, node?.parameters[name])) || holdsSecret(input[name], texts),
  );
}

/** Says which of a chain's published values are secret. */
export function publishedSecrets({ texts }: RunSecrets, { published }: Record<string, unknown>): Schema | undefined {
  if (texts.length === 0 || !isPlainObject(published)) return undefined;
  const names = Object.keys(published).filter((name) => holdsSecret(published[name], texts));
  const properties = Object.fromEntries(names.map((name) => [name, { secret: true }]));
  return names.length === 0 ? undefined : { properties: { published: { properties } } };
}

const reads = ({ values, secrets }: PackConfig, template: unknown): boolean =>
  templateReads(template).some(([name, ...steps]) => name === 'config_context' && readsSecret(steps, values, secrets));

/** Shorter ones would be found everywhere: these count where they are all there is. */
const SHORTEST_PART = 4;

function holdsSecret(value: unknown, secrets: readonly string[]): boolean {
  return [...leaves(value), ...keys(value)].some((text) =>
    secrets.some((secret) => text === secret || (secret.length >= SHORTEST_PART && text.includes(secret))),
  );
}

/** Every text, and number as a text, at any depth. */
function leaves(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

function keys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keys);
  return isPlainObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(keys)] : [];
}

/** How a text looks where it was printed as part of something else. */
const forms = (text: string): string[] => [text, inside(JSON.stringify(text)), inside(pythonRepr(text))];

const inside = (quoted: string): string => quoted.slice(1, -1);

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((found, step) => (found as Record<string | number, unknown> | undefined)?.[step], value);
