import { mongo } from 'mongoose';
import { type SubjectFields, type StoreSubject } from './subject';

export function aggregatesContract(subject: StoreSubject): void {
  const { insert } = subject;
  describe('distinct and aggregate', () => {
    beforeEach(() =>
      insert(
        { _id: 1, g: 'a', n: 1, tags: ['x', 'y'] },
        { _id: 2, g: 'b', n: 2, tags: ['y'] },
        { _id: 3, g: 'a', n: 3 },
        { _id: 4, n: 4 },
      ),
    );

    it('distinct returns each value once, and elements of arrays separately', async () => {
      expect(new Set(await subject.model.collection.distinct('g'))).toEqual(new Set(['a', 'b']));
      expect(new Set(await subject.model.collection.distinct('tags', { n: { $lt: 3 } } as never))).toEqual(
        new Set(['x', 'y']),
      );
      expect(new Set(await subject.model.distinct('n', { g: 'a' }))).toEqual(new Set([1, 3]));
    });

    it.each<[string, SubjectFields[], unknown[]]>([
      [
        '$match and $sort',
        [{ $match: { g: 'a' } }, { $sort: { n: -1 } }, { $project: { n: 1 } }],
        [
          { _id: 3, n: 3 },
          { _id: 1, n: 1 },
        ],
      ],
      [
        '$group',
        [{ $group: { _id: '$g', sum: { $sum: '$n' }, count: { $sum: 1 } } }, { $sort: { _id: 1 } }],
        [
          { _id: null, sum: 4, count: 1 },
          { _id: 'a', sum: 4, count: 2 },
          { _id: 'b', sum: 2, count: 1 },
        ],
      ],
      [
        '$unwind',
        [{ $unwind: '$tags' }, { $group: { _id: '$tags', n: { $sum: 1 } } }, { $sort: { n: 1 } }],
        [
          { _id: 'x', n: 1 },
          { _id: 'y', n: 2 },
        ],
      ],
      ['$count', [{ $match: { n: { $gt: 1 } } }, { $count: 'total' }], [{ total: 3 }]],
      [
        '$skip and $limit',
        [{ $sort: { _id: 1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { _id: 1 } }],
        [{ _id: 2 }],
      ],
      [
        '$project with an expression',
        [{ $match: { _id: 1 } }, { $project: { _id: 0, d: { $add: ['$n', 1] } } }],
        [{ d: 2 }],
      ],
    ])('%s', async (_, pipeline, expected) => {
      expect(await subject.model.collection.aggregate(pipeline).toArray()).toEqual(expected);
      expect(await subject.model.aggregate(pipeline as never)).toEqual(expected);
    });

    it('$group distinguishes ids and dates', async () => {
      const [first, second] = [new mongo.ObjectId(), new mongo.ObjectId()];
      await subject.model.collection.deleteMany({});
      await insert(
        { _id: 1, id: first, at: new Date(1) },
        { _id: 2, id: second, at: new Date(1) },
        { _id: 3, id: first, at: new Date(2) },
      );
      const count = async (field: string) =>
        (await subject.model.collection.aggregate([{ $group: { _id: field, n: { $sum: 1 } } }]).toArray())
          .map((row) => row['n'])
          .sort();
      expect(await count('$id')).toEqual([1, 2]);
      expect(await count('$at')).toEqual([1, 2]);
      expect(await subject.model.collection.aggregate([{ $match: { id: first } }]).toArray()).toHaveLength(2);
    });

    it('cursors return one document after the other', async () => {
      const seen: unknown[] = [];
      for await (const row of subject.model.find({}).sort({ _id: 1 }).lean().cursor()) seen.push(row._id);
      for await (const row of subject.model.collection.find({}, { sort: { _id: -1 }, limit: 2 })) seen.push(row._id);
      expect(seen).toEqual([1, 2, 3, 4, 4, 3]);
    });
  });
}
