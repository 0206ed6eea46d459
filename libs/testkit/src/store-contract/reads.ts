import type { StoreSubject, SubjectFields } from './subject';

export function pagingContract(subject: StoreSubject): void {
  const { insert, ids } = subject;
  describe('sort, skip and limit', () => {
    const rows: SubjectFields[] = [
      { _id: 1, a: 2, b: 'x' },
      { _id: 2, b: 'y' },
      { _id: 3, a: 1, b: 'x' },
      { _id: 4, a: null, b: 'z' },
      { _id: 5, a: 'text', b: 'y' },
      { _id: 6, a: [0, 9], b: 'x' },
      { _id: 7, a: new Date(5), b: 'x' },
      { _id: 8, a: true, b: 'x' },
    ];
    const cases: [SubjectFields, number[]][] = [
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

    it('skip the first documents and stop early', async () => {
      expect(await ids({ b: 'x' }, { sort: { _id: -1 }, skip: 1, limit: 2 })).toEqual([7, 6]);
      const lean = await subject.model.find({}).sort({ _id: 1 }).skip(6).limit(5).lean();
      expect(lean.map(({ _id }) => _id)).toEqual([7, 8]);
    });

    it('order the documents that $in finds', async () => {
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

export function projectionsContract(subject: StoreSubject): void {
  const { insert } = subject;
  describe('projections', () => {
    const row = { _id: 1, a: 1, b: { c: 2, d: 3 }, list: [{ x: 1, y: 2 }, { x: 3 }, 4], n: [1, 2, 3] };

    it.each<[SubjectFields, SubjectFields]>([
      [{ a: 1 }, { _id: 1, a: 1 }],
      [{ a: 1, _id: 0 }, { a: 1 }],
      [{ 'b.c': 1 }, { _id: 1, b: { c: 2 } }],
      [{ 'list.x': 1 }, { _id: 1, list: [{ x: 1 }, { x: 3 }] }],
      [
        { b: 0, list: 0, n: 0 },
        { _id: 1, a: 1 },
      ],
      [
        { 'b.c': 0, 'list.x': 0, n: 0 },
        { _id: 1, a: 1, b: { d: 3 }, list: [{ y: 2 }, {}, 4] },
      ],
      [{ _id: 1 }, { _id: 1 }],
      [
        { a: 1, n: { $slice: -2 } },
        { _id: 1, a: 1, n: [2, 3] },
      ],
      [{ list: { $elemMatch: { x: 3 } } }, { _id: 1, list: [{ x: 3 }] }],
      [{ missing: 1 }, { _id: 1 }],
    ])('%j returns %j', async (projection, expected) => {
      await insert(row);
      expect(await subject.model.collection.findOne({ _id: 1 } as never, { projection } as never)).toEqual(expected);
    });
  });
}
