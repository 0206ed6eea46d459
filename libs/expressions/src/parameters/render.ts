import { fault, messageOf } from '@switchyard/base';
import { mergeParameters } from '@switchyard/model';
import { Allowance } from '../allowance';
import { JinjaError } from '../jinja';
import type { ParametersInput } from './input';
import {
  definitionOf,
  isGiven,
  nodeOf,
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
 * The parameters that a request stores: the caller's, rendered, and the rendered defaults of the others that have
 * templates and are not immutable. Not cast.
 * @throws fault `expression.dependency-unsatisfied`, `expression.dependency-cycle`, `expression.render-failed` (400)
 */
export async function renderLiveParameters(input: ParametersInput): Promise<LiveParameters> {
  const { allowance = new Allowance() } = input;
  const nodes = parsed(allowance, () => parameterNodes(input, 'live'));
  const { values, derivedSecrets } = await renderNodes(nodes, { ...input, allowance });
  const merged = mergeParameters(input.runnerParameters, input.actionParameters);
  const names = new Set(Object.keys(input.parameters));
  for (const [name, definition] of Object.entries(merged)) {
    const isRendered = nodes.get(nodeOf(input, name))?.template !== undefined;
    if (isRendered && definition.immutable !== true && !isGiven(input.parameters, name)) names.add(name);
  }
  return { parameters: pick(input, values, names), derivedSecrets: derivedSecrets.filter((name) => names.has(name)) };
}

/**
 * Values that somebody sets beside the parameters of a caller, such as those of an alias. Their templates see `names` and the
 * datastore alone, not each other.
 * @throws fault `expression.render-failed` (400), also for a name that is not there, unless the template provides for that
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

export interface FinalParameters {
  readonly runnerParameters: Record<string, unknown>;
  readonly actionParameters: Record<string, unknown>;
  readonly derivedSecrets: string[];
}

/**
 * The parameters of a run: a value (null without any) for every defined name, those of the runner and those that are the
 * action's alone. The caller's values are data here, whatever they look like; defaults are rendered. Not cast.
 * @throws as `renderLiveParameters`
 */
export async function renderFinalParameters(input: ParametersInput): Promise<FinalParameters> {
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

/** The nodes with their templates, of which there may be too much to read. */
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
  return Object.fromEntries([...names].map((name) => [name, values[nodeOf(input, name)] ?? null]));
}
