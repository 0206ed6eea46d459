import type { StoreSubject } from './subject';

export function findAndModifyContract(subject: StoreSubject): void {
  const { insert, one, update } = subject;
  describe('find and modify', () => {
    it('returns the document before or after the change', async () => {
      await insert({ _id: 1, a: 1 });
      const change = (returnDocument: 'before' | 'after') =>
        subject.model.collection.findOneAndUpdate({ _id: 1 } as never, { $inc: { a: 1 } }, { returnDocument });
      expect(await change('before')).toEqual({ _id: 1, a: 1 });
      expect(await change('after')).toEqual({ _id: 1, a: 3 });
    });

    it('changes the first document in an order, and returns only the requested fields', async () => {
      await insert({ _id: 1, p: 1, x: 1 }, { _id: 2, p: 5, x: 1 }, { _id: 3, p: 3, x: 1 });
      const options = { sort: { p: -1 }, projection: { p: 1 }, returnDocument: 'after' } as const;
      const found = await subject.model.collection.findOneAndUpdate({ x: 1 }, { $set: { x: 2 } }, options);
      expect(found).toEqual({ _id: 2, p: 5 });
    });

    it('inserts a missing document with upsert', async () => {
      const upsert = () =>
        subject.model
          .findOneAndUpdate(
            { _id: 'k', group: 'g' },
            { $inc: { n: 1 }, $setOnInsert: { born: true } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean();
      expect(await upsert()).toEqual({ _id: 'k', group: 'g', n: 1, born: true });
      expect(await upsert()).toEqual({ _id: 'k', group: 'g', n: 2, born: true });
    });

    it('reports an upsert by updateOne', async () => {
      const result = await update('new', { $set: { a: 1 } }, { upsert: true });
      expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 'new' });
      expect(await one('new')).toEqual({ _id: 'new', a: 1 });
    });

    it('deletes and returns the document', async () => {
      await insert({ _id: 1, a: 1 });
      expect(await subject.model.findOneAndDelete({ a: 1 }).lean()).toEqual({ _id: 1, a: 1 });
      expect(await subject.model.findOneAndDelete({ a: 1 }).lean()).toBeNull();
    });

    it('lets exactly one of many callers win a compare-and-set', async () => {
      await insert({ _id: 1, status: 'scheduled' });
      const claims = Array.from({ length: 20 }, (_, owner) =>
        subject.model.collection.findOneAndUpdate(
          { _id: 1, status: 'scheduled' } as never,
          { $set: { status: 'running', owner } },
          { returnDocument: 'after' },
        ),
      );
      const won = (await Promise.all(claims)).filter((claim) => claim !== null);
      expect(won).toHaveLength(1);
      expect(await one(1)).toEqual(won[0]);
    });

    it('loses no increment', async () => {
      await insert({ _id: 1, n: 0 });
      await Promise.all(Array.from({ length: 50 }, () => update(1, { $inc: { n: 1 } })));
      expect(await one(1)).toEqual({ _id: 1, n: 50 });
    });

    it('never inserts twice when upserts race on a unique index', async () => {
      await subject.model.collection.createIndex({ key: 1 }, { unique: true });
      const upserts = Array.from({ length: 20 }, () =>
        subject.model.collection
          .updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true })
          .catch((error: { code?: number }) => {
            if (error.code !== 11000) throw error;
          }),
      );
      await Promise.all(upserts);
      expect(await subject.model.collection.countDocuments({})).toBe(1);
    });
  });
}
