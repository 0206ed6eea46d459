import { Schema } from 'mongoose';
import { newModel, type SubjectFields, type StoreSubject } from './subject';

/** How long a server may take to remove an expired document: its sweeper comes once a minute. */
const TTL_PATIENCE_MS = 130_000;
const POLL_MS = 200;

export function indexesContract(subject: StoreSubject): void {
  const { insert, ids, one, update } = subject;
  describe('indexes', () => {
    it('reject duplicates with all details', async () => {
      await subject.model.collection.createIndex({ pack: 1, name: 1 }, { unique: true });
      await insert({ _id: 1, pack: 'core', name: 'local' });
      const second = subject.model.collection.insertOne({ _id: 2, pack: 'core', name: 'local' } as never);
      await expect(second).rejects.toMatchObject({
        name: 'MongoServerError',
        code: 11000,
        keyPattern: { pack: 1, name: 1 },
        keyValue: { pack: 'core', name: 'local' },
      });
      await expect(second).rejects.toThrow(/E11000 duplicate key error collection: .*pack_1_name_1/);
      expect(await ids({})).toEqual([1]);
    });

    it('reject an update into a duplicate, and leave the document unchanged', async () => {
      await subject.model.collection.createIndex({ a: 1 }, { unique: true });
      await insert({ _id: 1, a: 1 }, { _id: 2, a: 2 });
      await expect(update(2, { $set: { a: 1, b: 1 } })).rejects.toMatchObject({ code: 11000 });
      expect(await one(2)).toEqual({ _id: 2, a: 2 });
      await update(1, { $set: { a: 3 } });
      await update(2, { $set: { a: 1 } });
      expect(await ids({ a: 1 })).toEqual([2]);
    });

    it('count a missing value once when unique, and never when sparse', async () => {
      await subject.model.collection.createIndex({ a: 1 }, { unique: true });
      await subject.model.collection.createIndex({ b: 1 }, { unique: true, sparse: true });
      await insert({ _id: 1, a: 1 }, { _id: 2, a: 2 }, { _id: 3 });
      await expect(insert({ _id: 4 })).rejects.toMatchObject({ code: 11000 });
      await expect(insert({ _id: 5, a: 5, b: null }, { _id: 6, a: 6, b: null })).rejects.toMatchObject({
        code: 11000,
      });
    });

    it('are unique within their filter only when partial', async () => {
      await subject.model.collection.createIndex({ key: 1 }, { unique: true, partialFilterExpression: { live: true } });
      await insert({ _id: 1, key: 'k', live: true }, { _id: 2, key: 'k', live: false }, { _id: 3, key: 'k' });
      await expect(update(2, { $set: { live: true } })).rejects.toMatchObject({ code: 11000 });
      await update(1, { $set: { live: false } });
      await update(2, { $set: { live: true } });
      expect(await ids({ key: 'k', live: true })).toEqual([2]);
      expect(await ids({ key: 'k' })).toEqual([1, 2, 3]);
    });

    it('reach into arrays', async () => {
      await subject.model.collection.createIndex(
        { due: 1, priority: -1 },
        { partialFilterExpression: { due: { $exists: true } } },
      );
      await insert({ _id: 1, due: ['a', 'b'], priority: 1 }, { _id: 2, due: ['b'], priority: 2 }, { _id: 3 });
      expect(await ids({ due: 'b' }, { sort: { priority: -1 } })).toEqual([2, 1]);
      await subject.model.collection.updateMany({ _id: { $in: [1, 2] } } as never, { $pull: { due: 'b' } } as never);
      expect(await ids({ due: 'b' })).toEqual([]);
      expect(await ids({ due: 'a' })).toEqual([1]);
    });

    it('are built over existing documents, unless these have duplicates', async () => {
      await insert({ _id: 1, a: 1 }, { _id: 2, a: 1 });
      await expect(subject.model.collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({
        code: 11000,
      });
      await subject.model.collection.createIndex({ a: 1 });
      expect(await ids({ a: 1 })).toEqual([1, 2]);
    });

    it('may be created again with the same options only', async () => {
      const create = (options: SubjectFields) => subject.model.collection.createIndex({ a: 1 }, options);
      expect(await create({ unique: true })).toBe('a_1');
      expect(await create({ unique: true })).toBe('a_1');
      await expect(create({ unique: false })).rejects.toMatchObject({
        codeName: expect.stringContaining('Conflict'),
      });
      await expect(create({ unique: true, name: 'other' })).rejects.toMatchObject({ code: 85 });
    });

    it('are listed, dropped and synchronized with a schema', async () => {
      const schema = new Schema({ a: Number, b: Number }, { autoIndex: false, autoCreate: false });
      schema.index({ a: 1 }, { unique: true });
      schema.index({ b: -1 }, { sparse: true });
      const indexed = newModel(subject.connection, schema);
      await indexed.createCollection();
      await indexed.collection.createIndex({ old: 1 });
      await indexed.syncIndexes();
      const list = await indexed.listIndexes();
      expect(list.map(({ name }: { name: string }) => name).sort()).toEqual(['_id_', 'a_1', 'b_-1']);
      expect(list).toContainEqual(expect.objectContaining({ name: 'a_1', unique: true, key: { a: 1 } }));
      await indexed.collection.dropIndex('a_1');
      expect(await indexed.listIndexes()).toHaveLength(2);
      await indexed.collection.drop();
    });

    it(
      'with a time to live remove expired documents',
      async () => {
        await subject.model.collection.createIndex({ expiry: 1 }, { expireAfterSeconds: 0 });
        const past = new Date(Date.now() - 1000);
        const future = new Date(Date.now() + 3_600_000);
        await insert({ _id: 1, expiry: past }, { _id: 2, expiry: future }, { _id: 3, expiry: 'never' }, { _id: 4 });
        const until = Date.now() + TTL_PATIENCE_MS;
        while ((await one(1)) !== null && Date.now() < until) await new Promise((next) => setTimeout(next, POLL_MS));
        expect(await ids({})).toEqual([2, 3, 4]);
      },
      TTL_PATIENCE_MS + 10_000,
    );
  });
}
