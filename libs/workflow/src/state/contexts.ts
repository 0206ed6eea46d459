import { isPlainObject } from '@switchyard/base';
import type { ContextDocument } from './documents';
import type { DirtyDocuments, Journal } from './journal';
import { interleaved, laidSince, TaskLineage } from './lineage';

export type Values = Readonly<Record<string, unknown>>;

const CACHED_CONTEXTS = 512;
const CACHED_LINEAGES = 64;

/**
 * All contexts of a run, as a tree: each extends its base (I6). Whole contexts are built on demand from the nearest one
 * still cached, and never change afterwards.
 */
export class Contexts {
  readonly nodes: ContextDocument[] = [];
  /** Whether a value replaces an earlier one even if both are maps. */
  isFlat = false;
  private readonly whole = new Recent<number, Values>(CACHED_CONTEXTS);
  private readonly without = new Recent<number, Values>(CACHED_CONTEXTS);
  private readonly lineages = new Recent<number, TaskLineage>(CACHED_LINEAGES);

  constructor(
    private readonly journal: Journal,
    private readonly dirty: DirtyDocuments,
  ) {}

  /** @returns the index of a context that extends `base` by these values */
  publish(base: number, values: Values): number {
    return this.add({ base, values });
  }

  /**
   * @returns the index of `into` extended by everything that only `other` has: a value from before the branches
   * separated never hides a newer one (I7)
   */
  merge(into: number, other: number): number {
    const lineage = this.lineages.get(into) ?? new TaskLineage(this.nodes, into);
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

  /** The variables of a context. Do not change them. */
  resolve(index: number): Values {
    return this.built(this.whole, index, -1);
  }

  /** What was published on the way to a context: its variables without the initial ones. */
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

  /** Call after a rollback, as indexes are reused. */
  forget(): void {
    this.whole.clear();
    this.without.clear();
    this.lineages.clear();
  }

  private lay(values: Record<string, unknown>, node: ContextDocument): void {
    if (node.values !== undefined) this.layValues(values, node.values);
    for (const index of node.adds ?? []) this.layValues(values, this.nodes[index]!.values ?? {});
  }

  /** Adds values to a map that the caller owns. */
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

/** Merges values into a map that the caller owns: maps are merged key by key, everything else is replaced. */
export function mergeInto(target: Record<string, unknown>, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    const before = Object.hasOwn(target, name) ? target[name] : undefined;
    define(target, name, isPlainObject(before) && isPlainObject(value) ? merged(before, value) : value);
  }
}

function merged(base: Values, values: Values): Values {
  const target = { ...base };
  mergeInto(target, values);
  return target;
}

/** Assignment that also works for `__proto__`. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A map that drops the least recently used entries. */
class Recent<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly capacity: number) {}

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.capacity) this.entries.delete(this.entries.keys().next().value as K);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
