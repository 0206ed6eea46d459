import { type Fields, type StoreSubject } from './subject';

export function projectionsContract(subject: StoreSubject): void {
  const { insert } = subject;
  describe('projections', () => {
    const row = { _id: 1, a: 1, b: { c: 2, d: 3 }, list: [{ x: 1, y: 2 }, { x: 3 }, 4], n: [1, 2, 3] };

    it.each<[Fields, Fields]>([
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
    ])('%j gives %j', async (projection, expected) => {
      await insert(row);
      expect(await subject.model.collection.findOne({ _id: 1 } as never, { projection } as never)).toEqual(expected);
    });
  });
}
