import { fault } from '@switchyard/base';
import type { ParameterNode } from './nodes';

/** Names that are not nodes: the datastore, read item by item. */
const DATASTORE: readonly string[] = ['st2kv', 'svckv'];

/**
 * The nodes with templates, each after those it reads.
 * @throws fault `expression.dependency-unsatisfied` for a name that nobody gives, `expression.dependency-cycle`
 */
export function renderingOrder(nodes: ReadonlyMap<string, ParameterNode>): ParameterNode[] {
  for (const node of nodes.values()) {
    const unknown = dependencies(node).find((name) => !nodes.has(name));
    if (unknown !== undefined) throw fault('expression.dependency-unsatisfied', { name: unknown });
  }
  const done = new Set<string>();
  const order: ParameterNode[] = [];
  for (const node of nodes.values()) visit(node, nodes, done, [], order);
  return order;
}

/** The names that a node's templates read, the datastore aside. */
export const dependencies = (node: ParameterNode): readonly string[] =>
  node.template?.roots.filter((name) => !DATASTORE.includes(name)) ?? [];

function visit(
  node: ParameterNode,
  nodes: ReadonlyMap<string, ParameterNode>,
  done: Set<string>,
  path: readonly string[],
  order: ParameterNode[],
): void {
  if (done.has(node.name)) return;
  const start = path.indexOf(node.name);
  if (start >= 0) throw fault('expression.dependency-cycle', { names: path.slice(start).join(', ') });
  for (const name of dependencies(node)) {
    const next = nodes.get(name);
    if (next !== undefined) visit(next, nodes, done, [...path, node.name], order);
  }
  done.add(node.name);
  if (node.template !== undefined) order.push(node);
}
