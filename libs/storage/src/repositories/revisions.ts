import type { RevisionRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { isDuplicateKey } from '../duplicate-keys';
import type { ResourceRepository } from './resources';

/** Numbers that grow with every change of the records of one kind: who keeps such records in memory asks for it. */
export interface RevisionRepository {
  /** 0 until there has been a change. */
  of(kind: string): Promise<number>;
  grow(kind: string): Promise<void>;
}

export const revisionRepository = (revisions: Collection<RevisionRecord>): RevisionRepository => ({
  of: async (kind) => (await revisions.get(kind))?.revision ?? 0,
  async grow(kind) {
    const change = () =>
      revisions.model.collection.findOneAndUpdate(
        { _id: kind } as never,
        { $inc: { revision: 1 } },
        {
          upsert: true,
        },
      );
    // Of several that make the first record at once, one does; for the others it is there now.
    await change().catch((error: unknown) => (isDuplicateKey(error) ? change() : Promise.reject(error as Error)));
  },
});

/**
 * Grows the revision with every change of a record, after it: whoever reads a revision sees all changes that were complete
 * before. It also grows when a write has failed, since it may have taken place all the same.
 */
export function counted<T extends { _id: string }>(
  records: ResourceRepository<T>,
  revisions: RevisionRepository,
  kind: string,
): ResourceRepository<T> {
  const changing = async <R>(change: Promise<R>): Promise<R> => {
    try {
      return await change;
    } finally {
      await revisions.grow(kind);
    }
  };
  return {
    ...records,
    insert: (record) => changing(records.insert(record)),
    replace: (record) => changing(records.replace(record)),
    upsert: (record) => changing(records.upsert(record)),
    remove: (id) => changing(records.remove(id)),
  };
}
