import { type SubjectFields, type StoreSubject } from './subject';

export function updatesContract(subject: StoreSubject): void {
  const { insert, ids, one, update } = subject;
  describe('update operators', () => {
    it.each<[string, SubjectFields, unknown, SubjectFields]>([
      ['$set', { a: 1 }, { $set: { a: 2, b: [1] } }, { a: 2, b: [1] }],
      ['$set on a new dotted path', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
      ['$set on an element', { a: [1, 2] }, { $set: { 'a.1': 9, 'a.3': 4 } }, { a: [1, 9, null, 4] }],
      ['$unset', { a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': '', x: '' } }, { b: { d: 2 } }],
      ['$inc', { n: 1 }, { $inc: { n: 2, m: 5, 'o.p': -1 } }, { n: 3, m: 5, o: { p: -1 } }],
      ['$mul', { n: 3 }, { $mul: { n: 2, m: 5 } }, { n: 6, m: 0 }],
      ['$min', { n: 3, m: 3 }, { $min: { n: 2, m: 5, o: 1 } }, { n: 2, m: 3, o: 1 }],
      ['$max', { n: 3, m: 3 }, { $max: { n: 2, m: 5, o: 1 } }, { n: 3, m: 5, o: 1 }],
      ['$rename', { a: 1 }, { $rename: { a: 'b.c' } }, { b: { c: 1 } }],
      ['$push', { l: [1] }, { $push: { l: 2, m: { x: 1 } } }, { l: [1, 2], m: [{ x: 1 }] }],
      ['$push of an array', { l: [1] }, { $push: { l: [2, 3] } }, { l: [1, [2, 3]] }],
      ['$push with $each', { l: [1] }, { $push: { l: { $each: [2, 3] } } }, { l: [1, 2, 3] }],
      ['$push with $slice', { l: [1, 2] }, { $push: { l: { $each: [3], $slice: -2 } } }, { l: [2, 3] }],
      ['$push with $position', { l: [1, 2] }, { $push: { l: { $each: [0], $position: 0 } } }, { l: [0, 1, 2] }],
      ['$push with $sort', { l: [3, 1] }, { $push: { l: { $each: [2], $sort: 1 } } }, { l: [1, 2, 3] }],
      ['$pull of a value', { l: ['a', 'b', 'a'] }, { $pull: { l: 'a' } }, { l: ['b'] }],
      ['$pull by operators', { l: [1, 5, 9] }, { $pull: { l: { $gte: 5 } } }, { l: [1] }],
      ['$pull of objects', { l: [{ k: 1, v: 1 }, { k: 2 }] }, { $pull: { l: { k: 1 } } }, { l: [{ k: 2 }] }],
      ['$pull from nothing', { a: 1 }, { $pull: { l: 1 } }, { a: 1 }],
      ['$pullAll', { l: [1, 2, 3] }, { $pullAll: { l: [1, 3] } }, { l: [2] }],
      ['$addToSet', { l: [1] }, { $addToSet: { l: 1, m: 2 } }, { l: [1], m: [2] }],
      ['$addToSet with $each', { l: [1] }, { $addToSet: { l: { $each: [1, 2, 2] } } }, { l: [1, 2] }],
      ['$pop', { l: [1, 2, 3], m: [1, 2] }, { $pop: { l: 1, m: -1 } }, { l: [1, 2], m: [2] }],
      ['$[]', { l: [1, 2] }, { $inc: { 'l.$[]': 10 } }, { l: [11, 12] }],
      ['a pipeline', { a: 2 }, [{ $set: { b: { $multiply: ['$a', 3] } } }], { a: 2, b: 6 }],
    ])('%s', async (_, before, change, after) => {
      await insert({ _id: 1, ...before });
      await update(1, change);
      expect(await one(1)).toEqual({ _id: 1, ...after });
    });

    it('$ changes the element that the filter found', async () => {
      await insert({
        _id: 1,
        l: [
          { k: 'a', v: 1 },
          { k: 'b', v: 2 },
        ],
      });
      await subject.model.collection.updateOne({ _id: 1, 'l.k': 'b' } as never, { $set: { 'l.$.v': 9 } });
      expect(await one(1)).toEqual({
        _id: 1,
        l: [
          { k: 'a', v: 1 },
          { k: 'b', v: 9 },
        ],
      });
    });

    it('arrayFilters choose elements', async () => {
      await insert({
        _id: 1,
        l: [
          { k: 'a', v: 1 },
          { k: 'b', v: 2 },
        ],
      });
      await update(1, { $set: { 'l.$[item].v': 0 } }, { arrayFilters: [{ 'item.v': { $gt: 1 } }] });
      expect(await one(1)).toEqual({
        _id: 1,
        l: [
          { k: 'a', v: 1 },
          { k: 'b', v: 0 },
        ],
      });
    });

    it('counts matched and changed documents', async () => {
      await insert({ _id: 1, a: 1 });
      expect(await update(1, { $set: { a: 1 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
      expect(await update(1, { $set: { a: 2 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
      expect(await update(2, { $set: { a: 2 } })).toMatchObject({ matchedCount: 0, modifiedCount: 0 });
    });

    it.each<[string, SubjectFields, SubjectFields, number]>([
      ['$inc of text', { a: 'x' }, { $inc: { a: 1 } }, 14],
      ['$push onto text', { a: 'x' }, { $push: { a: 1 } }, 2],
      ['a field inside a number', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
      ['two changes of one place', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
      ['a change of the id', { a: 1 }, { $set: { _id: 2 } }, 66],
    ])('rejects %s', async (_, before, change, code) => {
      await insert({ _id: 1, ...before });
      await expect(update(1, change)).rejects.toMatchObject({ code });
      expect(await one(1)).toEqual({ _id: 1, ...before });
    });

    it('replaceOne keeps only the id', async () => {
      await insert({ _id: 1, a: 1, b: 1 });
      await subject.model.collection.replaceOne({ _id: 1 } as never, { c: 3 });
      expect(await one(1)).toEqual({ _id: 1, c: 3 });
    });

    it('replaceOne may keep the value of a unique field', async () => {
      await subject.model.collection.createIndex({ name: 1 }, { unique: true });
      await insert({ _id: 1, name: 'a', b: 1 }, { _id: 2, name: 'b' });
      await subject.model.collection.replaceOne({ _id: 1 } as never, { name: 'a', b: 2 });
      expect(await one(1)).toEqual({ _id: 1, name: 'a', b: 2 });
      const taken = subject.model.collection.replaceOne({ _id: 1 } as never, { name: 'b' });
      await expect(taken).rejects.toMatchObject({ code: 11000 });
    });

    it('updateMany and deleteMany apply to all matching documents', async () => {
      await insert({ _id: 1, a: 1 }, { _id: 2, a: 1 }, { _id: 3, a: 2 });
      const changed = await subject.model.collection.updateMany({ a: 1 }, { $set: { a: 2 } });
      expect(changed).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
      expect(await subject.model.collection.deleteMany({ a: 2 })).toMatchObject({ deletedCount: 3 });
      expect(await ids({})).toEqual([]);
    });

    it('deleteOne deletes one document', async () => {
      await insert({ _id: 1, a: 1 }, { _id: 2, a: 1 });
      expect(await subject.model.collection.deleteOne({ a: 1 })).toMatchObject({ deletedCount: 1 });
      expect(await ids({})).toHaveLength(1);
    });
  });
}
