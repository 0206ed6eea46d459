import { fault, messageOf } from '@switchyard/base';
import { mergeParameters } from '@switchyard/model';
import { Allowance } from '../allowance';
import { JinjaError } from '../jinja';
import type { ParametersInput } from './input';
import {
  definitionOf,
  isGiven,
  parameterNodeOf,
  parameterNodes,
  parameterOf,
  standaloneNodes,
  type ParameterNode,
} from './nodes';
import { renderInOrder, renderNodes, type RenderingInput } from './render-nodes';

export interface LiveParameters {
  readonly parameters: Record<string, unknown>;
  readonly derivedSecrets: string[];
}

/**
 * Renders the parameters that a request stores: the caller's, and the defaults of other mutable parameters with
 * templates. Not cast.
 * @throws fault `expression.dependency-unsatisfied`, `expression.dependency-cycle`, `expression.render-failed` (400)
 */
export async function renderLiveParameters(input: ParametersInput): Promise<LiveParameters> {
  const { allowance = new Allowance() } = input;
  const nodes = parsed(allowance, () => parameterNodes(input, 'live'));
  const secret = input.secret?.map((name) => parameterNodeOf(input, name)) ?? [];
  const { values, derivedSecrets } = await renderNodes(nodes, { ...input, allowance, secret });
  const merged = mergeParameters(input.runnerParameters, input.actionParameters);
  const names = new Set(Object.keys(input.parameters));
  for (const [name, definition] of Object.entries(merged)) {
    const isRendered = nodes.get(parameterNodeOf(input, name))?.template !== undefined;
    if (isRendered && definition.immutable !== true && !isGiven(input.parameters, name)) names.add(name);
  }
  return { parameters: pick(input, values, names), derivedSecrets: derivedSecrets.filter((name) => names.has(name)) };
}

/**
 * Renders values set in addition to the caller's parameters, such as those of an alias. Their templates see only
 * `names` and the datastore, not each other.
 * @throws fault `expression.render-failed` (400), also for a missing name that the template does not handle
 */
export async function renderStandalone(
  values: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, unknown>>,
  input: RenderingInput,
): Promise<LiveParameters> {
  const { allowance = new Allowance() } = input;
  const nodes = parsed(allowance, () => standaloneNodes(values, names));
  const order = [...nodes.values()].filter(({ template }) => template !== undefined);
  const { values: rendered, derivedSecrets } = await renderInOrder(nodes, order, { ...input, allowance });
  const isOfValues = (node: string) => parameterOf(node) !== node;
  const parameters = Object.entries(rendered).filter(([node]) => isOfValues(node));
  return {
    parameters: Object.fromEntries(parameters.map(([node, value]) => [parameterOf(node), value])),
    derivedSecrets,
  };
}

export interface RenderedParameters {
  readonly runnerParameters: Record<string, unknown>;
  readonly actionParameters: Record<string, unknown>;
  readonly derivedSecrets: string[];
}

/**
 * Renders the parameters of a run: a value (or null) for every defined name, split into the runner's and the action's
 * own. The caller's values are taken literally; defaults are rendered. Not cast.
 * @throws as `renderLiveParameters`
 */
export async function renderFinalParameters(input: ParametersInput): Promise<RenderedParameters> {
  const { allowance = new Allowance() } = input;
  const nodes = parsed(allowance, () => parameterNodes(input, 'final'));
  const { values, derivedSecrets } = await renderNodes(nodes, { ...input, allowance });
  const runnerNames = Object.keys(input.runnerParameters);
  const actionNames = Object.keys(input.actionParameters).filter(
    (name) => definitionOf(input.runnerParameters, name) === undefined,
  );
  return {
    runnerParameters: pick(input, values, runnerNames),
    actionParameters: pick(input, values, actionNames),
    derivedSecrets,
  };
}

/** Parses the nodes' templates, within the allowance. */
function parsed(allowance: Allowance, nodes: () => Map<string, ParameterNode>): Map<string, ParameterNode> {
  try {
    return allowance.run(nodes);
  } catch (error) {
    if (!(error instanceof JinjaError)) throw error;
    throw fault('expression.too-much', { cause: messageOf(error) }, { cause: error });
  }
}

function pick(
  input: ParametersInput,
  values: Readonly<Record<string, unknown>>,
  names: Iterable<string>,
): Record<string, unknown> {
  return Object.fromEntries([...names].map((name) => [name, values[parameterNodeOf(input, name)] ?? null]));
}
