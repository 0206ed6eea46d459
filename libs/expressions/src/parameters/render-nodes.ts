import { fault, messageOf } from '@switchyard/base';
import type { Context, RenderOptions } from '../jinja';
import { DatastoreReader } from './datastore-reader';
import type { ParametersInput } from './input';
import { parameterOf, type ParameterNode } from './nodes';
import { dependencies, renderingOrder } from './order';

export interface RenderedNodes {
  /** The value of every node, those without templates included. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Parameters, not marked secret themselves, whose templates read a secret one, directly or through others, or decrypt a datastore item. */
  readonly derivedSecrets: string[];
}

/** Renders the nodes in the order of their dependencies. @throws fault `expression.*` (400) */
export async function renderNodes(
  nodes: ReadonlyMap<string, ParameterNode>,
  input: ParametersInput,
): Promise<RenderedNodes> {
  const order = renderingOrder(nodes);
  const values = record([...nodes.values()].map(({ name, value }) => [name, value]));
  if (order.length === 0) return { values, derivedSecrets: [] };
  const seen = record(Object.entries(values));
  const reader = new DatastoreReader(input.lookup ?? (() => Promise.resolve(undefined)));
  for (const node of order) {
    const value = await renderNode(node, seen, { datastore: reader.read }, reader);
    values[node.name] = value;
    seen[node.name] = castForOthers(node.name, value, input.cast);
  }
  return { values, derivedSecrets: derivedSecrets(order, nodes) };
}

async function renderNode(node: ParameterNode, context: Context, options: RenderOptions, reader: DatastoreReader) {
  const { name, template, value } = node;
  if (template === undefined) return value;
  try {
    return await reader.supply(() => template.render(context, options));
  } catch (error) {
    throw fault('expression.render-failed', { name: parameterOf(name), cause: messageOf(error) }, { cause: error });
  }
}

/** A value that cannot be cast is shown to others as it is; whoever casts the result says what is wrong with it. */
function castForOthers(name: string, value: unknown, cast: ParametersInput['cast']): unknown {
  if (cast === undefined) return value;
  try {
    return cast(name, value);
  } catch {
    return value;
  }
}

function derivedSecrets(order: readonly ParameterNode[], nodes: ReadonlyMap<string, ParameterNode>): string[] {
  const derived = new Set<string>();
  for (const node of order) {
    const reads = dependencies(node).some((name) => derived.has(name) || nodes.get(name)?.secret === true);
    if (reads || node.template?.decrypts === true) derived.add(node.name);
  }
  return [...derived].filter((name) => nodes.get(name)?.secret !== true).map(parameterOf);
}

/** Names come from users: a record without a prototype has no others. */
function record(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of entries) result[name] = value;
  return result;
}
