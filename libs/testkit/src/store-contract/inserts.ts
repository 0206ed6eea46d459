import { mongo } from 'mongoose';
import { type Fields, type StoreSubject } from './subject';

export function insertsContract(subject: StoreSubject): void {
  const { insert, ids } = subject;
  describe('create and insert', () => {
    it('give a document an id', async () => {
      const row: Fields = { a: 1 };
      const { insertedId } = await subject.model.collection.insertOne(row);
      expect(insertedId).toBeInstanceOf(mongo.ObjectId);
      expect(row['_id']).toBe(insertedId);
    });

    it('take documents through a model', async () => {
      await subject.model.create({ _id: 'x', a: 1 });
      await subject.model.insertMany([{ _id: 'y' }, { _id: 'z' }]);
      expect(await ids({})).toEqual(['x', 'y', 'z']);
      expect(await subject.model.findOne({ _id: 'x' }).lean()).toMatchObject({ a: 1 });
      expect(await subject.model.countDocuments({})).toBe(3);
      expect(await subject.model.estimatedDocumentCount()).toBe(3);
    });

    it('refuse a second document with the same id', async () => {
      await insert({ _id: 1 });
      await expect(subject.model.collection.insertOne({ _id: 1 } as never)).rejects.toMatchObject({
        code: 11000,
        keyPattern: { _id: 1 },
        keyValue: { _id: 1 },
      });
    });
  });
}
