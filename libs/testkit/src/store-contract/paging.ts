import { type Fields, type StoreSubject } from './subject';

export function pagingContract(subject: StoreSubject): void {
  const { insert, ids } = subject;
  describe('sort, skip and limit', () => {
    const rows: Fields[] = [
      { _id: 1, a: 2, b: 'x' },
      { _id: 2, b: 'y' },
      { _id: 3, a: 1, b: 'x' },
      { _id: 4, a: null, b: 'z' },
      { _id: 5, a: 'text', b: 'y' },
      { _id: 6, a: [0, 9], b: 'x' },
      { _id: 7, a: new Date(5), b: 'x' },
      { _id: 8, a: true, b: 'x' },
    ];
    const cases: [Fields, number[]][] = [
      [{ a: 1, _id: 1 }, [2, 4, 6, 3, 1, 5, 8, 7]],
      [{ a: -1, _id: 1 }, [7, 8, 5, 6, 1, 3, 2, 4]],
      [{ b: 1, a: -1, _id: 1 }, [7, 8, 6, 1, 3, 5, 2, 4]],
      [{ _id: -1 }, [8, 7, 6, 5, 4, 3, 2, 1]],
    ];

    beforeEach(() => insert(...rows));

    it.each(cases)('order by %j', async (sort, expected) => {
      expect(await ids({}, { sort })).toEqual(expected);
    });

    it.each(cases)('order by %j with an index', async (sort, expected) => {
      await subject.model.collection.createIndex({ a: 1, _id: 1 });
      await subject.model.collection.createIndex({ b: 1, a: -1, _id: 1 });
      expect(await ids({}, { sort })).toEqual(expected);
    });

    it('leave out the first and stop early', async () => {
      expect(await ids({ b: 'x' }, { sort: { _id: -1 }, skip: 1, limit: 2 })).toEqual([7, 6]);
      const lean = await subject.model.find({}).sort({ _id: 1 }).skip(6).limit(5).lean();
      expect(lean.map(({ _id }) => _id)).toEqual([7, 8]);
    });

    it('order what $in finds', async () => {
      await subject.model.collection.createIndex({ b: 1, _id: 1 });
      expect(await ids({ b: { $in: ['z', 'x', 'y'] } }, { sort: { _id: -1 }, limit: 4 })).toEqual([8, 7, 6, 5]);
    });

    it('order text by its bytes', async () => {
      await subject.model.collection.deleteMany({});
      await insert(
        { _id: 1, t: '\ufb01' },
        { _id: 2, t: '🐎' },
        { _id: 3, t: 'a' },
        { _id: 4, t: 'B' },
        { _id: 5, t: '' },
      );
      expect(await ids({}, { sort: { t: 1 } })).toEqual([5, 4, 3, 1, 2]);
    });
  });
}
