import { newModel, type SubjectFields, type StoreSubject } from './subject';

export function filtersContract(subject: StoreSubject): void {
  const { insert, ids } = subject;
  describe('filters', () => {
    const rows: SubjectFields[] = [
      {
        _id: 1,
        n: 1,
        s: 'alpha',
        tags: ['a', 'b'],
        sub: { x: 1 },
        list: [
          { k: 'p', v: 1 },
          { k: 'q', v: 5 },
        ],
      },
      { _id: 2, n: 2, s: 'Beta', tags: ['b'], sub: { x: 2, y: 1 }, list: [{ k: 'p', v: 9 }] },
      { _id: 3, n: 3, s: 'gamma', tags: [], sub: null },
      { _id: 4, n: null, when: new Date(1000) },
      { _id: 5, n: '3', when: new Date(2000), tags: 'a' },
      { _id: 6, n: [1, 7], when: new Date(3000) },
    ];

    beforeEach(() => insert(...rows));

    it.each<[string, SubjectFields, number[]]>([
      ['nothing', {}, [1, 2, 3, 4, 5, 6]],
      ['a value', { n: 2 }, [2]],
      ['a value in an array', { n: 7 }, [6]],
      ['$eq', { n: { $eq: 3 } }, [3]],
      ['$ne', { n: { $ne: 1 } }, [2, 3, 4, 5]],
      ['$gt within one type', { n: { $gt: 1 } }, [2, 3, 6]],
      ['$gte and $lt', { n: { $gte: 1, $lt: 3 } }, [1, 2, 6]],
      ['$lte', { n: { $lte: 1 } }, [1, 6]],
      ['a range that different elements of an array fulfil', { n: { $gt: 2, $lt: 2 } }, [6]],
      ['$in', { n: { $in: [1, '3'] } }, [1, 5, 6]],
      ['$in with null', { n: { $in: [null, 2] } }, [2, 4]],
      ['$nin', { n: { $nin: [1, 2, 3] } }, [4, 5]],
      ['null for null and missing', { when: null }, [1, 2, 3]],
      ['$exists', { sub: { $exists: true } }, [1, 2, 3]],
      ['$exists: false', { sub: { $exists: false } }, [4, 5, 6]],
      ['$and', { $and: [{ n: { $gt: 1 } }, { tags: 'b' }] }, [2]],
      ['$or', { $or: [{ n: 1 }, { s: 'gamma' }] }, [1, 3, 6]],
      ['$nor', { $nor: [{ n: 1 }, { s: 'gamma' }] }, [2, 4, 5]],
      ['$not', { n: { $not: { $gt: 1 } } }, [1, 4, 5]],
      ['$regex', { s: { $regex: '^a' } }, [1]],
      ['a regex with options', { s: { $regex: '^b', $options: 'i' } }, [2]],
      ['a regex literal', { s: /mm/ }, [3]],
      ['$not with a regex', { s: { $not: /a$/ } }, [4, 5, 6]],
      ['an element of an array', { tags: 'a' }, [1, 5]],
      ['a whole array', { tags: ['a', 'b'] }, [1]],
      ['$all', { tags: { $all: ['b', 'a'] } }, [1]],
      ['$size', { tags: { $size: 0 } }, [3]],
      ['$size, not zero', { tags: { $size: 2 } }, [1]],
      ['$elemMatch on objects', { list: { $elemMatch: { k: 'p', v: { $gt: 5 } } } }, [2]],
      ['$elemMatch on values', { n: { $elemMatch: { $gt: 5 } } }, [6]],
      ['a dotted path', { 'sub.x': 2 }, [2]],
      ['a dotted path into objects of an array', { 'list.v': 5 }, [1]],
      ['a dotted path that different objects fulfil', { 'list.k': 'p', 'list.v': 5 }, [1]],
      ['a dotted path with a number', { 'list.0.v': 9 }, [2]],
      ['a missing dotted path', { 'sub.y': null }, [1, 3, 4, 5, 6]],
      ['a whole object', { sub: { x: 2, y: 1 } }, [2]],
      ['a whole object in another order', { sub: { y: 1, x: 2 } }, []],
      ['a range of dates', { when: { $gte: new Date(2000), $lt: new Date(3000) } }, [5]],
      ['$type', { n: { $type: 'string' } }, [5]],
      ['$mod', { n: { $mod: [2, 0] } }, [2]],
      ['$expr', { $expr: { $gt: ['$sub.y', 0] } }, [2]],
      ['$in on ids', { _id: { $in: [2, 4, 99] } }, [2, 4]],
      ['a range of ids', { _id: { $gt: 4 } }, [5, 6]],
      ['an id and more', { _id: 2, n: 5 }, []],
    ])('match by %s', async (_, filter, expected) => {
      expect(await ids(filter)).toEqual(expected);
      expect(await subject.model.collection.countDocuments(filter as never)).toBe(expected.length);
    });

    it('return the same results with indexes', async () => {
      const filters: SubjectFields[] = [
        { n: 1 },
        { n: { $gt: 1 } },
        { n: { $gt: 2, $lt: 2 } },
        { n: null },
        { n: { $in: [1, '3', null] } },
        { tags: 'a' },
        { tags: { $in: ['a', 'b'] } },
        { when: null },
        { when: { $lte: new Date(2000) } },
        { s: { $gte: 'a' } },
        { 'list.v': { $gte: 5 } },
        { 'sub.x': { $exists: true } },
        { $or: [{ n: 1 }, { s: 'gamma' }] },
        { tags: ['a', 'b'] },
      ];
      const answers = async () => {
        const each: unknown[][] = [];
        for (const filter of filters) each.push(await ids(filter));
        return each;
      };
      const before = await answers();
      for (const key of ['n', 'tags', 'when', 's', 'list.v', 'sub.x']) {
        await subject.model.collection.createIndex(
          { [key]: key === 'when' ? -1 : 1 },
          key === 's' ? { sparse: true } : {},
        );
      }
      expect(await answers()).toEqual(before);
    });

    it('find nothing in a collection that does not exist', async () => {
      const other = newModel(subject.connection);
      expect(await other.collection.find({}).toArray()).toEqual([]);
      expect(await other.collection.countDocuments({})).toBe(0);
      expect(await other.collection.findOne({ n: 1 } as never)).toBeNull();
    });

    it('are rejected if an operator does not exist', async () => {
      await expect(subject.model.collection.find({ n: { $nonsense: 1 } } as never).toArray()).rejects.toThrow(
        /\$nonsense/,
      );
    });
  });
}
