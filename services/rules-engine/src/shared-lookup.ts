import type { DatastoreKey } from '@switchyard/expressions';
import { sharedRead } from './shared-read';

type Lookup = (key: DatastoreKey) => Promise<string | undefined>;

const MOST_ITEMS = 1000;

/**
 * Lets events that come together share their reads of the datastore. Each still gets what was there after it asked. What is
 * read in the clear is not shared, so that it is held for nobody.
 */
export function sharedLookup(lookup: Lookup): Lookup {
  const reads = new Map<string, () => Promise<string | undefined>>();
  return (key) => {
    if (key.decrypt) return lookup(key);
    const id = `${key.scope}/${key.name}`;
    const known = reads.get(id);
    if (known) return known();
    // Sharing less for a moment is no mistake; keeping every name that was ever made up would be one.
    if (reads.size >= MOST_ITEMS) reads.clear();
    const read = sharedRead(() => lookup(key));
    reads.set(id, read);
    return read();
  };
}
