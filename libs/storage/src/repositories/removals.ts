import type { RemovalRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** Removals that are under way, or were interrupted. */
export interface RemovalRepository {
  insert(record: RemovalRecord): Promise<RemovalRecord>;
  list(): Promise<RemovalRecord[]>;
  remove(id: string): Promise<boolean>;
}

export const removalRepository = (removals: Collection<RemovalRecord>): RemovalRepository => ({
  insert: (record) => removals.insert(record),
  list: () => removals.list(),
  remove: (id) => removals.remove(id),
});
