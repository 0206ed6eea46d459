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
  for (const node of nodes.values()) if (!done.has(node.name)) visit(node, nodes, done, order);
  return order;
}

/** The names that a node's templates read, the datastore aside. */
export const dependencies = (node: ParameterNode): readonly string[] =>
  node.template?.roots.filter((name) => !DATASTORE.includes(name)) ?? [];

/** Goes along what nodes read without calling itself: a chain of them may be as long as somebody likes. */
function visit(
  first: ParameterNode,
  nodes: ReadonlyMap<string, ParameterNode>,
  done: Set<string>,
  order: ParameterNode[],
): void {
  const open = [{ node: first, reads: [...dependencies(first)] }];
  const names = new Set([first.name]);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { node, reads } = top;
    const name = reads.shift();
    const next = name === undefined || done.has(name) ? undefined : nodes.get(name);
    if (next !== undefined) {
      if (names.has(next.name)) throw cycle([...names], next.name);
      names.add(next.name);
      open.push({ node: next, reads: [...dependencies(next)] });
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
