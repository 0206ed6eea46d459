import type { Index, IndexRecord } from '../indexes/index-definition';

/** What was found out, and the state of the index on which that depends. */
interface Finding<T> extends Pick<IndexRecord, 'exact' | 'multikeyPaths'> {
  readonly found: T;
}

/**
 * Keeps what was found out about an index and conditions that are used again and again, such as those of a role. It is dropped together with the
 * conditions or the index, and found again once the index contains values of another kind.
 */
export function lastingFindings<T>() {
  const known = new WeakMap<object, WeakMap<Index, Finding<T>>>();
  /** @param lasting stands for the conditions; nothing is kept if absent */
  return (lasting: object | undefined, index: Index, find: () => T): T => {
    if (!lasting) return find();
    const { exact, multikeyPaths } = index.record;
    const byIndex = known.get(lasting) ?? new WeakMap<Index, Finding<T>>();
    const last = byIndex.get(index);
    if (last?.exact === exact && last.multikeyPaths === multikeyPaths) return last.found;
    const found = find();
    known.set(lasting, byIndex.set(index, { exact, multikeyPaths, found }));
    return found;
  };
}
