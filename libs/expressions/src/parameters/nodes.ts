import { extractSecrets, mergeParameters, type ParameterDefinitions } from '@switchyard/model';
import { fault } from '@switchyard/base';
import { isTemplate } from '../jinja';
import type { ParametersInput, SecretPath } from './input';
import { readTemplates, type ValueTemplate } from './value-template';

/** A name that templates may read: a parameter, a context, or an additional name. */
export interface ParameterNode {
  readonly name: string;
  readonly value: unknown;
  /** Set if the value contains templates. */
  readonly template: ValueTemplate | undefined;
  /** Finds the paths of secrets in its value. */
  readonly secretsIn: (value: unknown) => readonly SecretPath[];
}

/** `live`: the caller's values are templates (a request); `final`: they are data (a run). */
type Pass = 'live' | 'final';

/**
 * Every name visible to templates, in the reference's order: contexts, the caller's values, then the action's and the
 * runner's parameters with their defaults. An immutable parameter always has its default, and null counts as not given.
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
    add(parameterNodeOf(input, name), value, rendered, definition && ((of) => pathsOf(of, definition)));
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

const pathsOf = (value: unknown, definition: ParameterDefinitions[string]): SecretPath[] =>
  extractSecrets(value, definition).secrets.map(({ path }) => path);

/** Suffix for a parameter hidden by an additional name of the same name. */
const APART = '\u0000';

/**
 * Nodes for values whose templates see the given names but not each other. Templates may handle missing names with
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

/** The node name of a parameter. */
export const parameterNodeOf = ({ extra = {} }: Pick<ParametersInput, 'extra'>, parameter: string): string =>
  Object.hasOwn(extra, parameter) ? parameter + APART : parameter;

/** The name of a node as shown to users. */
export const parameterOf = (node: string): string => (node.endsWith(APART) ? node.slice(0, -1) : node);

export const definitionOf = (
  definitions: ParameterDefinitions,
  name: string,
): ParameterDefinitions[string] | undefined => (Object.hasOwn(definitions, name) ? definitions[name] : undefined);

export const isGiven = (parameters: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.hasOwn(parameters, name) && (parameters[name] ?? null) !== null;

/** Not nodes: the datastore, which is read item by item. */
const DATASTORE: readonly string[] = ['st2kv', 'svckv'];

/**
 * The nodes with templates, each after those it reads.
 * @throws fault `expression.dependency-unsatisfied` for an unknown name, `expression.dependency-cycle`
 */
export function renderingOrder(nodes: ReadonlyMap<string, ParameterNode>): ParameterNode[] {
  const rendered = [...nodes.values()].filter(({ template }) => template !== undefined);
  for (const node of rendered) {
    const unknown = dependenciesOf(node).find((name) => !nodes.has(name));
    if (unknown !== undefined) throw fault('expression.dependency-unsatisfied', { name: unknown });
  }
  const done = new Set<string>();
  const order: ParameterNode[] = [];
  for (const node of rendered) if (!done.has(node.name)) visit(node, nodes, done, order);
  return order;
}

/** The names that a node's templates read, without the datastore. */
const dependenciesOf = (node: ParameterNode): readonly string[] =>
  node.template?.roots.filter((name) => !DATASTORE.includes(name)) ?? [];

/** Follows dependencies without recursion, as chains may have any length. */
function visit(
  first: ParameterNode,
  nodes: ReadonlyMap<string, ParameterNode>,
  done: Set<string>,
  order: ParameterNode[],
): void {
  const open = [{ node: first, reads: [...dependenciesOf(first)] }];
  const names = new Set([first.name]);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { node, reads } = top;
    const name = reads.shift();
    const next = name === undefined || done.has(name) ? undefined : nodes.get(name);
    if (next !== undefined) {
      if (names.has(next.name)) throw cycle([...names], next.name);
      names.add(next.name);
      open.push({ node: next, reads: [...dependenciesOf(next)] });
    } else if (name === undefined) {
      open.pop();
      names.delete(node.name);
      done.add(node.name);
      if (node.template !== undefined) order.push(node);
    }
  }
}

const cycle = (names: readonly string[], again: string) =>
  fault('expression.dependency-cycle', { names: names.slice(names.indexOf(again)).join(', ') });
