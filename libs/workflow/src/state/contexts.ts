import type { ContextDocument } from './documents';
import { mergeInto } from './deep-merge';
import type { DirtyDocuments } from './dirty';
import type { Journal } from './journal';
import { interleaved, laidSince, Lineage } from './lineage';
import { Recent } from './recent';

export type Values = Readonly<Record<string, unknown>>;

const CACHED_CONTEXTS = 512;
const CACHED_LINEAGES = 64;

/**
 * All contexts of a run, as a tree: each is its base with something put on it (I6). Whole contexts are built when they are
 * looked at, from the nearest one that is still at hand, and are never changed afterwards.
 */
export class Contexts {
  readonly nodes: ContextDocument[] = [];
  /** Whether a value replaces an earlier one of its name even where both are maps. */
  isFlat = false;
  private readonly whole = new Recent<number, Values>(CACHED_CONTEXTS);
  private readonly without = new Recent<number, Values>(CACHED_CONTEXTS);
  private readonly lineages = new Recent<number, Lineage>(CACHED_LINEAGES);

  constructor(
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
  ) {}

  /** @returns the index of the context that is `base` with these values on it */
  publish(base: number, values: Values): number {
    return this.add({ base, values });
  }

  /**
   * @returns the index of `into` with everything on it that `other` has and it has not: a value from before the branches
   * parted never hides a newer one (I7)
   */
  merge(into: number, other: number): number {
    const lineage = this.lineages.get(into) ?? new Lineage(this.nodes, into);
    const { laid, fork } = lineage.since(other);
    const adds = laid.filter((node) => !lineage.has(node));
    if (adds.length === 0) {
      this.lineages.set(into, lineage);
      return into;
    }
    const isOnTop = laid.slice(-adds.length).every((node) => !lineage.has(node));
    if (!isOnTop) return this.add({ base: fork, adds: interleaved(laidSince(this.nodes, into, fork), laid) });
    const merged = this.add({ base: into, adds });
    this.lineages.delete(into);
    this.lineages.set(merged, lineage.extended(merged, adds));
    return merged;
  }

  /** The variables of a context; not to be changed. */
  resolve(index: number): Values {
    return this.built(this.whole, index, -1);
  }

  /** The variables of a context without what the run began with: all that was published on the way to it. */
  published(index: number): Values {
    return this.built(this.without, index, 0);
  }

  private built(cache: Recent<number, Values>, index: number, end: number): Values {
    const known = cache.get(index);
    if (known !== undefined) return known;
    const path: ContextDocument[] = [];
    let base: Values | undefined;
    for (let at = index; at > end && base === undefined; at = this.nodes[at]!.base) {
      base = cache.get(at);
      if (base === undefined) path.push(this.nodes[at]!);
    }
    const values: Record<string, unknown> = { ...base };
    for (const node of path.reverse()) this.lay(values, node);
    cache.set(index, values);
    return values;
  }

  /** To be called after a rollback: indexes will be used anew. */
  forget(): void {
    this.whole.clear();
    this.without.clear();
    this.lineages.clear();
  }

  private lay(values: Record<string, unknown>, node: ContextDocument): void {
    if (node.values !== undefined) this.layValues(values, node.values);
    for (const index of node.adds ?? []) this.layValues(values, this.nodes[index]!.values ?? {});
  }

  /** Puts values on a map that the caller owns. */
  layValues(target: Record<string, unknown>, values: Values): void {
    if (this.isFlat) Object.assign(target, values);
    else mergeInto(target, values);
  }

  private add(content: Pick<ContextDocument, 'base' | 'values' | 'adds'>): number {
    const index = this.nodes.length;
    const node: ContextDocument = { kind: 'context', key: `context/${index}`, index, ...content };
    this.journal.append(this.nodes, node);
    this.dirty.put(node, true);
    return index;
  }
}
