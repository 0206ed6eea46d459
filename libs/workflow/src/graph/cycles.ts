/**
 * Finds the nodes on cycles: Tarjan's strongly connected components, with an explicit stack so that it takes linear
 * time and no recursion.
 */
export function nodesOnCycles(next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const search = new Search(next);
  for (const node of next.keys()) search.from(node);
  return search.cyclic;
}

interface Frame {
  readonly node: string;
  at: number;
}

class Search {
  readonly cyclic = new Set<string>();
  private readonly index = new Map<string, number>();
  private readonly low = new Map<string, number>();
  private readonly open: string[] = [];
  private readonly isOpen = new Set<string>();

  constructor(private readonly next: ReadonlyMap<string, readonly string[]>) {}

  from(root: string): void {
    if (this.index.has(root)) return;
    const frames = [this.enter(root)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const target = this.next.get(frame.node)?.[frame.at++];
      if (target === undefined) this.leave(frame.node, frames);
      else if (!this.index.has(target)) frames.push(this.enter(target));
      else if (this.isOpen.has(target)) this.lower(frame.node, this.index.get(target)!);
    }
  }

  private enter(node: string): Frame {
    this.index.set(node, this.index.size);
    this.low.set(node, this.index.get(node)!);
    this.open.push(node);
    this.isOpen.add(node);
    if (this.next.get(node)?.includes(node)) this.cyclic.add(node);
    return { node, at: 0 };
  }

  private leave(node: string, frames: Frame[]): void {
    frames.pop();
    const above = frames.at(-1);
    if (above !== undefined) this.lower(above.node, this.low.get(node)!);
    if (this.low.get(node) === this.index.get(node)) this.close(node);
  }

  private close(node: string): void {
    const component = this.open.splice(this.open.lastIndexOf(node));
    for (const member of component) {
      this.isOpen.delete(member);
      if (component.length > 1) this.cyclic.add(member);
    }
  }

  private lower(node: string, index: number): void {
    if (index < this.low.get(node)!) this.low.set(node, index);
  }
}
