import { mongo } from 'mongoose';
import type { StoreSubject, SubjectFields } from './subject';

export function insertsContract(subject: StoreSubject): void {
  const { insert, ids } = subject;
  describe('create and insert', () => {
    it('assign an id to a document', async () => {
      const row: SubjectFields = { a: 1 };
      const { insertedId } = await subject.model.collection.insertOne(row);
      expect(insertedId).toBeInstanceOf(mongo.ObjectId);
      expect(row['_id']).toBe(insertedId);
    });

    it('accept documents through a model', async () => {
      await subject.model.create({ _id: 'x', a: 1 });
      await subject.model.insertMany([{ _id: 'y' }, { _id: 'z' }]);
      expect(await ids({})).toEqual(['x', 'y', 'z']);
      expect(await subject.model.findOne({ _id: 'x' }).lean()).toMatchObject({ a: 1 });
      expect(await subject.model.countDocuments({})).toBe(3);
      expect(await subject.model.estimatedDocumentCount()).toBe(3);
    });

    it('reject a second document with the same id', async () => {
      await insert({ _id: 1 });
      await expect(subject.model.collection.insertOne({ _id: 1 } as never)).rejects.toMatchObject({
        code: 11000,
        keyPattern: { _id: 1 },
        keyValue: { _id: 1 },
      });
    });
  });
}

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

    it('run all operations in order', async () => {
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

    it('continue after an error when unordered, and report the failures', async () => {
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
