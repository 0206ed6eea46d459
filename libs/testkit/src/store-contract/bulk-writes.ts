import type { StoreSubject } from './subject';

export function bulkWritesContract(subject: StoreSubject): void {
  const { ids, one } = subject;
  describe('bulk writes', () => {
    const operations = () => [
      { insertOne: { document: { _id: 1, a: 1 } } },
      { insertOne: { document: { _id: 2, a: 1 } } },
      { updateOne: { filter: { _id: 1 }, update: { $set: { a: 5 } } } },
      { updateMany: { filter: {}, update: { $inc: { n: 1 } } } },
      { updateOne: { filter: { _id: 3 }, update: { $set: { a: 3 } }, upsert: true } },
      { replaceOne: { filter: { _id: 2 }, replacement: { b: 2 } } },
      { deleteOne: { filter: { _id: 3 } } },
    ];

    it('do everything in order', async () => {
      const result = await subject.model.collection.bulkWrite(operations() as never);
      expect(result).toMatchObject({
        insertedCount: 2,
        matchedCount: 4,
        modifiedCount: 4,
        deletedCount: 1,
        upsertedCount: 1,
        upsertedIds: { 4: 3 },
      });
      expect(await subject.model.collection.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
        { _id: 1, a: 5, n: 1 },
        { _id: 2, b: 2 },
      ]);
    });

    const withDuplicate = [1, 1, 2].map((id) => ({ insertOne: { document: { _id: id } } }));

    it('stop at the first error when ordered', async () => {
      await expect(subject.model.collection.bulkWrite(withDuplicate as never)).rejects.toMatchObject({
        name: 'MongoBulkWriteError',
        code: 11000,
      });
      expect(await ids({})).toEqual([1]);
    });

    it('go on when not ordered, and tell what failed', async () => {
      const failure: unknown = await subject.model.collection
        .bulkWrite(withDuplicate as never, { ordered: false })
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 11000, insertedCount: 2 });
      const { writeErrors } = failure as { writeErrors: readonly { index: number; code: number }[] };
      expect(writeErrors.map(({ index, code }) => [index, code])).toEqual([[1, 11000]]);
      expect(await ids({})).toEqual([1, 2]);
    });

    it('work through a model', async () => {
      await subject.model.bulkWrite([{ insertOne: { document: { _id: 1, a: 1 } } }] as never);
      expect(await one(1)).toMatchObject({ a: 1 });
    });
  });
}
