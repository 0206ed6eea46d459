import type { ContextDocument } from './documents';

/**
 * The history of a context, walked back only as far as needed. A base is always older than its extensions, so the walks
 * of two related contexts meet at their common ancestor.
 */
export class TaskLineage {
  private readonly chain = new Set<number>();
  private readonly laid = new Set<number>();
  /** The next older node of the chain, not walked yet; -1 at the end. */
  private older: number;

  constructor(
    private readonly nodes: readonly ContextDocument[],
    tip: number,
  ) {
    this.older = tip;
  }

  /** What another context has added since the two separated: its nodes with values, in order, and the common
   * ancestor. */
  since(other: number): { readonly laid: number[]; readonly fork: number } {
    const found: (readonly number[])[] = [];
    let at = other;
    for (; at >= 0 && !this.holds(at); at = this.nodes[at]!.base) found.push(laidBy(this.nodes[at]!));
    return { laid: found.reverse().flat(), fork: at };
  }

  /** Whether a node's values are in this context. Valid for nodes younger than the last requested fork. */
  has(node: number): boolean {
    return this.laid.has(node);
  }

  /** Extends it by a node. Do not use this instance afterwards. */
  extended(tip: number, adds: readonly number[]): TaskLineage {
    this.chain.add(tip);
    for (const node of adds) this.laid.add(node);
    return this;
  }

  private holds(node: number): boolean {
    while (this.older >= node) this.walk();
    return this.chain.has(node);
  }

  private walk(): void {
    const node = this.nodes[this.older]!;
    this.chain.add(node.index);
    for (const laid of laidBy(node)) this.laid.add(laid);
    this.older = node.base;
  }
}

/** The nodes whose values a context has added to an older one, in order. */
export function laidSince(nodes: readonly ContextDocument[], tip: number, fork: number): number[] {
  const found: (readonly number[])[] = [];
  for (let at = tip; at > fork; at = nodes[at]!.base) found.push(laidBy(nodes[at]!));
  return found.reverse().flat();
}

/** Merges two orders: what only `other` has goes before the next common element, or to the end. */
export function interleaved(own: readonly number[], other: readonly number[]): number[] {
  const order: number[] = [];
  const isOwn = new Set(own);
  let at = 0;
  let held: number[] = [];
  for (const node of other) {
    if (!isOwn.has(node)) held.push(node);
    else {
      const place = own.indexOf(node, at);
      if (place >= 0) order.push(...own.slice(at, place));
      order.push(...held);
      if (place >= 0) order.push(node);
      at = Math.max(at, place + 1);
      held = [];
    }
  }
  return [...order, ...own.slice(at), ...held];
}

const laidBy = (node: ContextDocument): readonly number[] =>
  node.values === undefined ? (node.adds ?? []) : [node.index];
