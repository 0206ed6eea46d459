import type { RevisionRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { isDuplicateKey } from '../duplicate-keys';
import type { ResourceRepository } from './resources';

/** Numbers that increase with every change of one kind of records, for processes that cache such records. */
export interface RevisionRepository {
  /** 0 until the first change. */
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
    // If several processes create the first record concurrently, one succeeds, and the others find it here.
    await change().catch((error: unknown) => (isDuplicateKey(error) ? change() : Promise.reject(error as Error)));
  },
});

/**
 * Increases the revision after a change, so that readers of a revision see all changes completed before it. Also increases it
 * after a failed write, which may have taken effect.
 */
export const grownAfter =
  (revisions: RevisionRepository, kind: string) =>
  async <R>(change: Promise<R>): Promise<R> => {
    try {
      return await change;
    } finally {
      await revisions.grow(kind);
    }
  };

/** Increases the revision after every change of a record. */
export function counted<T extends { _id: string }>(
  records: ResourceRepository<T>,
  revisions: RevisionRepository,
  kind: string,
): ResourceRepository<T> {
  const changing = grownAfter(revisions, kind);
  return {
    ...records,
    insert: (record) => changing(records.insert(record)),
    replace: (record) => changing(records.replace(record)),
    upsert: (record) => changing(records.upsert(record)),
    remove: (id) => changing(records.remove(id)),
  };
}
