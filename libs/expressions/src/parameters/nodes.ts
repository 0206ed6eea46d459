import { extractSecrets, mergeParameters, type Definitions } from '@switchyard/model';
import { isTemplate } from '../jinja';
import type { ParametersInput } from './input';
import type { SecretPath } from './reads-secret';
import { readTemplates, type ValueTemplate } from './value-template';

/** One name that templates may read: a parameter, a context, or a further name. */
export interface ParameterNode {
  readonly name: string;
  readonly value: unknown;
  /** Set when the value has templates. */
  readonly template: ValueTemplate | undefined;
  /** Where secrets are in a value of it. */
  readonly secretsIn: (value: unknown) => readonly SecretPath[];
}

/** What is wanted of the caller's values: templates in a request, finished values in a run. */
export type Pass = 'live' | 'final';

/**
 * Every name in reach of the templates, in the order in which the reference treats them: contexts, the caller's values,
 * then the action's and the runner's parameters with their defaults. An immutable parameter has its default whatever the
 * caller says, and null counts as not given.
 */
export function parameterNodes(input: ParametersInput, pass: Pass): Map<string, ParameterNode> {
  const merged = mergeParameters(input.runnerParameters, input.actionParameters);
  const nodes = new Map<string, ParameterNode>();
  const add = (name: string, value: unknown, rendered: boolean, secretsIn: ParameterNode['secretsIn'] = none) => {
    const template = rendered ? templateIn(value) : undefined;
    nodes.set(name, { name, value, template, secretsIn });
  };
  const addParameter = (name: string, value: unknown, rendered: boolean) => {
    const definition = definitionOf(merged, name);
    add(nodeOf(input, name), value, rendered, definition && ((of) => pathsOf(of, definition)));
  };
  add('action_context', input.context, false);
  add('config_context', input.config ?? {}, false, () => input.configSecrets ?? []);
  for (const [name, value] of Object.entries(input.extra ?? {})) add(name, value, false);
  const literal = new Set(pass === 'live' ? input.literal : Object.keys(input.parameters));
  for (const [name, value] of Object.entries(input.parameters)) addParameter(name, value ?? null, !literal.has(name));
  for (const name of [...Object.keys(input.actionParameters), ...Object.keys(input.runnerParameters)]) {
    const definition = definitionOf(merged, name);
    if (isGiven(input.parameters, name) && definition?.immutable !== true) continue;
    addParameter(name, definition?.default ?? null, true);
  }
  return nodes;
}

const none = (): readonly SecretPath[] => [];

const pathsOf = (value: unknown, definition: Definitions[string]): SecretPath[] =>
  extractSecrets(value, definition).secrets.map(({ path }) => path);

/** Set behind the name of a parameter that is also one of the further names: templates mean the latter. */
const APART = '\u0000';

/**
 * Values whose templates see some names and not each other. A name that nobody gives is for the template to deal with, by
 * `default` or `is defined`.
 */
export function standaloneNodes(
  values: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, unknown>>,
): Map<string, ParameterNode> {
  const nodes = new Map<string, ParameterNode>();
  const add = (name: string, value: unknown, template?: ValueTemplate) =>
    nodes.set(name, { name, value, template, secretsIn: none });
  for (const [name, value] of Object.entries(names)) add(name, value);
  for (const [name, value] of Object.entries(values)) add(name + APART, value, templateIn(value));
  return nodes;
}

const templateIn = (value: unknown) => (isTemplate(value) ? readTemplates(value) : undefined);

/** The name of a parameter's node. */
export const nodeOf = ({ extra = {} }: Pick<ParametersInput, 'extra'>, parameter: string): string =>
  Object.hasOwn(extra, parameter) ? parameter + APART : parameter;

/** The name that a node has for people. */
export const parameterOf = (node: string): string => (node.endsWith(APART) ? node.slice(0, -1) : node);

export const definitionOf = (definitions: Definitions, name: string): Definitions[string] | undefined =>
  Object.hasOwn(definitions, name) ? definitions[name] : undefined;

export const isGiven = (parameters: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.hasOwn(parameters, name) && (parameters[name] ?? null) !== null;
