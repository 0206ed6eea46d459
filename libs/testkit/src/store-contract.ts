import { randomUUID } from 'node:crypto';
import { mongo, Schema, type Connection, type Model } from 'mongoose';

export interface OpenedStore {
  readonly connection: Connection;
  close(): Promise<void>;
}

type Fields = Record<string, unknown>;
type Row = Fields & { _id: unknown };

/** How long a server may take to remove an expired document: its sweeper comes once a minute. */
const TTL_PATIENCE_MS = 130_000;
const POLL_MS = 200;
const MEBIBYTE = 1024 * 1024;

/**
 * What the repositories may expect of a store, whichever driver is below mongoose. Everything here is the behaviour of
 * a MongoDB server. Each test has a collection of its own.
 */
export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store contract on ${name}`, () => {
    let store: OpenedStore;
    let model: Model<Row>;

    beforeAll(async () => {
      store = await open();
    });

    afterAll(async () => {
      await store.close();
    });

    beforeEach(() => {
      model = newModel(store.connection);
    });

    afterEach(async () => {
      await model.collection.drop().catch(() => {});
    });

    const insert = (...rows: Fields[]) => model.collection.insertMany(rows);
    const ids = async (filter: Fields, options: Fields = {}): Promise<unknown[]> => {
      const found = await model.collection.find(filter as never, { sort: { _id: 1 }, ...options } as never).toArray();
      return found.map(({ _id }) => _id);
    };
    const one = (id: unknown) => model.collection.findOne({ _id: id } as never) as Promise<Fields | null>;
    const update = (id: unknown, change: unknown, options: Fields = {}) =>
      model.collection.updateOne({ _id: id } as never, change as never, options);

    describe('values', () => {
      it('come back as they went in', async () => {
        const when = new Date(1_700_000_000_123);
        const id = new mongo.ObjectId();
        const row = {
          _id: 1,
          text: 'plain',
          unicode: 'žluťoučký 🐎 \u0000 中文',
          whole: 42,
          large: 1_700_000_000_123_456,
          fraction: 0.1,
          yes: true,
          nothing: null,
          when,
          id,
          list: [1, 'two', [3], { four: 4 }],
          nested: { deep: { deeper: 'x' } },
          'empty-object': {},
          'empty-list': [],
        };
        await insert(row);
        expect(await one(1)).toEqual(row);
      });

      it('keep bytes, as a Binary', async () => {
        await insert({ _id: 1, bytes: Buffer.from([0, 1, 254, 255]) });
        const { bytes } = (await one(1)) as { bytes: mongo.Binary };
        expect(bytes).toBeInstanceOf(mongo.Binary);
        expect([...bytes.buffer]).toEqual([0, 1, 254, 255]);
      });

      it('tell null from missing, and store undefined as null', async () => {
        await insert({ _id: 1, a: null }, { _id: 2 }, { _id: 3, a: undefined });
        expect(await ids({ a: { $exists: true } })).toEqual([1, 3]);
        expect((await one(3))?.['a']).toBeNull();
      });

      it('may have dots and dollars in the names of nested fields', async () => {
        const row = { _id: 1, parameters: { 'a.b': 1, 'c.d.e': { 'f.g': 2 } } };
        await insert(row);
        expect(await one(1)).toEqual(row);
      });

      it('may be 8 MB large', async () => {
        const text = 'x'.repeat(8 * MEBIBYTE);
        await insert({ _id: 1, text });
        expect(((await one(1)) as { text: string }).text).toHaveLength(8 * MEBIBYTE);
      });

      it('may not be larger than a server takes', async () => {
        await expect(insert({ _id: 1, text: 'x'.repeat(17 * MEBIBYTE) })).rejects.toThrow();
        expect(await one(1)).toBeNull();
      });

      it('are not shared with the caller', async () => {
        const row = { _id: 1, list: [1] };
        await insert(row);
        row.list.push(2);
        const first = (await one(1)) as { list: number[] };
        first.list.push(3);
        expect(await one(1)).toEqual({ _id: 1, list: [1] });
      });
    });

    describe('create and insert', () => {
      it('give a document an id', async () => {
        const row: Fields = { a: 1 };
        const { insertedId } = await model.collection.insertOne(row);
        expect(insertedId).toBeInstanceOf(mongo.ObjectId);
        expect(row['_id']).toBe(insertedId);
      });

      it('take documents through a model', async () => {
        await model.create({ _id: 'x', a: 1 });
        await model.insertMany([{ _id: 'y' }, { _id: 'z' }]);
        expect(await ids({})).toEqual(['x', 'y', 'z']);
        expect(await model.findOne({ _id: 'x' }).lean()).toMatchObject({ a: 1 });
        expect(await model.countDocuments({})).toBe(3);
        expect(await model.estimatedDocumentCount()).toBe(3);
      });

      it('refuse a second document with the same id', async () => {
        await insert({ _id: 1 });
        await expect(model.collection.insertOne({ _id: 1 } as never)).rejects.toMatchObject({
          code: 11000,
          keyPattern: { _id: 1 },
          keyValue: { _id: 1 },
        });
      });
    });

    describe('filters', () => {
      const rows: Fields[] = [
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

      it.each<[string, Fields, number[]]>([
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
      ])('fit by %s', async (_, filter, expected) => {
        expect(await ids(filter)).toEqual(expected);
        expect(await model.collection.countDocuments(filter as never)).toBe(expected.length);
      });

      it('give the same answers with indexes', async () => {
        const filters: Fields[] = [
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
          await model.collection.createIndex({ [key]: key === 'when' ? -1 : 1 }, key === 's' ? { sparse: true } : {});
        }
        expect(await answers()).toEqual(before);
      });

      it('find nothing in a collection that does not exist', async () => {
        const other = newModel(store.connection);
        expect(await other.collection.find({}).toArray()).toEqual([]);
        expect(await other.collection.countDocuments({})).toBe(0);
        expect(await other.collection.findOne({ n: 1 } as never)).toBeNull();
      });

      it('are refused when an operator does not exist', async () => {
        await expect(model.collection.find({ n: { $nonsense: 1 } } as never).toArray()).rejects.toThrow(/\$nonsense/);
      });
    });

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
        await model.collection.createIndex({ a: 1, _id: 1 });
        await model.collection.createIndex({ b: 1, a: -1, _id: 1 });
        expect(await ids({}, { sort })).toEqual(expected);
      });

      it('leave out the first and stop early', async () => {
        expect(await ids({ b: 'x' }, { sort: { _id: -1 }, skip: 1, limit: 2 })).toEqual([7, 6]);
        const lean = await model.find({}).sort({ _id: 1 }).skip(6).limit(5).lean();
        expect(lean.map(({ _id }) => _id)).toEqual([7, 8]);
      });

      it('order what $in finds', async () => {
        await model.collection.createIndex({ b: 1, _id: 1 });
        expect(await ids({ b: { $in: ['z', 'x', 'y'] } }, { sort: { _id: -1 }, limit: 4 })).toEqual([8, 7, 6, 5]);
      });

      it('order text by its bytes', async () => {
        await model.collection.deleteMany({});
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
        expect(await model.collection.findOne({ _id: 1 } as never, { projection } as never)).toEqual(expected);
      });
    });

    describe('update operators', () => {
      it.each<[string, Fields, unknown, Fields]>([
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
        await model.collection.updateOne({ _id: 1, 'l.k': 'b' } as never, { $set: { 'l.$.v': 9 } });
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

      it('counts what it found and what it changed', async () => {
        await insert({ _id: 1, a: 1 });
        expect(await update(1, { $set: { a: 1 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
        expect(await update(1, { $set: { a: 2 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
        expect(await update(2, { $set: { a: 2 } })).toMatchObject({ matchedCount: 0, modifiedCount: 0 });
      });

      it.each<[string, Fields, Fields, number]>([
        ['$inc of text', { a: 'x' }, { $inc: { a: 1 } }, 14],
        ['$push onto text', { a: 'x' }, { $push: { a: 1 } }, 2],
        ['a field inside a number', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
        ['two changes of one place', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
        ['a change of the id', { a: 1 }, { $set: { _id: 2 } }, 66],
      ])('refuses %s', async (_, before, change, code) => {
        await insert({ _id: 1, ...before });
        await expect(update(1, change)).rejects.toMatchObject({ code });
        expect(await one(1)).toEqual({ _id: 1, ...before });
      });

      it('replaceOne keeps the id and nothing else', async () => {
        await insert({ _id: 1, a: 1, b: 1 });
        await model.collection.replaceOne({ _id: 1 } as never, { c: 3 });
        expect(await one(1)).toEqual({ _id: 1, c: 3 });
      });

      it('replaceOne may keep the value of a unique field', async () => {
        await model.collection.createIndex({ name: 1 }, { unique: true });
        await insert({ _id: 1, name: 'a', b: 1 }, { _id: 2, name: 'b' });
        await model.collection.replaceOne({ _id: 1 } as never, { name: 'a', b: 2 });
        expect(await one(1)).toEqual({ _id: 1, name: 'a', b: 2 });
        const taken = model.collection.replaceOne({ _id: 1 } as never, { name: 'b' });
        await expect(taken).rejects.toMatchObject({ code: 11000 });
      });

      it('updateMany and deleteMany take all that fit', async () => {
        await insert({ _id: 1, a: 1 }, { _id: 2, a: 1 }, { _id: 3, a: 2 });
        const changed = await model.collection.updateMany({ a: 1 }, { $set: { a: 2 } });
        expect(changed).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
        expect(await model.collection.deleteMany({ a: 2 })).toMatchObject({ deletedCount: 3 });
        expect(await ids({})).toEqual([]);
      });

      it('deleteOne takes one', async () => {
        await insert({ _id: 1, a: 1 }, { _id: 2, a: 1 });
        expect(await model.collection.deleteOne({ a: 1 })).toMatchObject({ deletedCount: 1 });
        expect(await ids({})).toHaveLength(1);
      });
    });

    describe('find and modify', () => {
      it('answers the document before or after', async () => {
        await insert({ _id: 1, a: 1 });
        const change = (returnDocument: 'before' | 'after') =>
          model.collection.findOneAndUpdate({ _id: 1 } as never, { $inc: { a: 1 } }, { returnDocument });
        expect(await change('before')).toEqual({ _id: 1, a: 1 });
        expect(await change('after')).toEqual({ _id: 1, a: 3 });
      });

      it('takes the first in an order, and only the fields asked for', async () => {
        await insert({ _id: 1, p: 1, x: 1 }, { _id: 2, p: 5, x: 1 }, { _id: 3, p: 3, x: 1 });
        const options = { sort: { p: -1 }, projection: { p: 1 }, returnDocument: 'after' } as const;
        const found = await model.collection.findOneAndUpdate({ x: 1 }, { $set: { x: 2 } }, options);
        expect(found).toEqual({ _id: 2, p: 5 });
      });

      it('inserts when told to', async () => {
        const upsert = () =>
          model
            .findOneAndUpdate(
              { _id: 'k', group: 'g' },
              { $inc: { n: 1 }, $setOnInsert: { born: true } },
              { upsert: true, returnDocument: 'after' },
            )
            .lean();
        expect(await upsert()).toEqual({ _id: 'k', group: 'g', n: 1, born: true });
        expect(await upsert()).toEqual({ _id: 'k', group: 'g', n: 2, born: true });
      });

      it('reports an upsert by updateOne', async () => {
        const result = await update('new', { $set: { a: 1 } }, { upsert: true });
        expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 'new' });
        expect(await one('new')).toEqual({ _id: 'new', a: 1 });
      });

      it('deletes and answers what was there', async () => {
        await insert({ _id: 1, a: 1 });
        expect(await model.findOneAndDelete({ a: 1 }).lean()).toEqual({ _id: 1, a: 1 });
        expect(await model.findOneAndDelete({ a: 1 }).lean()).toBeNull();
      });

      it('lets exactly one of many win a compare-and-set', async () => {
        await insert({ _id: 1, status: 'scheduled' });
        const claims = Array.from({ length: 20 }, (_, owner) =>
          model.collection.findOneAndUpdate(
            { _id: 1, status: 'scheduled' } as never,
            { $set: { status: 'running', owner } },
            { returnDocument: 'after' },
          ),
        );
        const won = (await Promise.all(claims)).filter((claim) => claim !== null);
        expect(won).toHaveLength(1);
        expect(await one(1)).toEqual(won[0]);
      });

      it('loses no increment', async () => {
        await insert({ _id: 1, n: 0 });
        await Promise.all(Array.from({ length: 50 }, () => update(1, { $inc: { n: 1 } })));
        expect(await one(1)).toEqual({ _id: 1, n: 50 });
      });

      it('never inserts twice when upserts race on a unique index', async () => {
        await model.collection.createIndex({ key: 1 }, { unique: true });
        const upserts = Array.from({ length: 20 }, () =>
          model.collection
            .updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true })
            .catch((error: { code?: number }) => {
              if (error.code !== 11000) throw error;
            }),
        );
        await Promise.all(upserts);
        expect(await model.collection.countDocuments({})).toBe(1);
      });
    });

    describe('indexes', () => {
      it('refuse duplicates with a full account', async () => {
        await model.collection.createIndex({ pack: 1, name: 1 }, { unique: true });
        await insert({ _id: 1, pack: 'core', name: 'local' });
        const second = model.collection.insertOne({ _id: 2, pack: 'core', name: 'local' } as never);
        await expect(second).rejects.toMatchObject({
          name: 'MongoServerError',
          code: 11000,
          keyPattern: { pack: 1, name: 1 },
          keyValue: { pack: 'core', name: 'local' },
        });
        await expect(second).rejects.toThrow(/E11000 duplicate key error collection: .*pack_1_name_1/);
        expect(await ids({})).toEqual([1]);
      });

      it('refuse an update into a duplicate, and leave the document as it was', async () => {
        await model.collection.createIndex({ a: 1 }, { unique: true });
        await insert({ _id: 1, a: 1 }, { _id: 2, a: 2 });
        await expect(update(2, { $set: { a: 1, b: 1 } })).rejects.toMatchObject({ code: 11000 });
        expect(await one(2)).toEqual({ _id: 2, a: 2 });
        await update(1, { $set: { a: 3 } });
        await update(2, { $set: { a: 1 } });
        expect(await ids({ a: 1 })).toEqual([2]);
      });

      it('count a missing value once when unique, and never when sparse', async () => {
        await model.collection.createIndex({ a: 1 }, { unique: true });
        await model.collection.createIndex({ b: 1 }, { unique: true, sparse: true });
        await insert({ _id: 1, a: 1 }, { _id: 2, a: 2 }, { _id: 3 });
        await expect(insert({ _id: 4 })).rejects.toMatchObject({ code: 11000 });
        await expect(insert({ _id: 5, a: 5, b: null }, { _id: 6, a: 6, b: null })).rejects.toMatchObject({
          code: 11000,
        });
      });

      it('are unique within their filter only when partial', async () => {
        await model.collection.createIndex({ key: 1 }, { unique: true, partialFilterExpression: { live: true } });
        await insert({ _id: 1, key: 'k', live: true }, { _id: 2, key: 'k', live: false }, { _id: 3, key: 'k' });
        await expect(update(2, { $set: { live: true } })).rejects.toMatchObject({ code: 11000 });
        await update(1, { $set: { live: false } });
        await update(2, { $set: { live: true } });
        expect(await ids({ key: 'k', live: true })).toEqual([2]);
        expect(await ids({ key: 'k' })).toEqual([1, 2, 3]);
      });

      it('reach into arrays', async () => {
        await model.collection.createIndex(
          { due: 1, priority: -1 },
          { partialFilterExpression: { due: { $exists: true } } },
        );
        await insert({ _id: 1, due: ['a', 'b'], priority: 1 }, { _id: 2, due: ['b'], priority: 2 }, { _id: 3 });
        expect(await ids({ due: 'b' }, { sort: { priority: -1 } })).toEqual([2, 1]);
        await model.collection.updateMany({ _id: { $in: [1, 2] } } as never, { $pull: { due: 'b' } } as never);
        expect(await ids({ due: 'b' })).toEqual([]);
        expect(await ids({ due: 'a' })).toEqual([1]);
      });

      it('are built over what is there, and refuse to when it has duplicates', async () => {
        await insert({ _id: 1, a: 1 }, { _id: 2, a: 1 });
        await expect(model.collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
        await model.collection.createIndex({ a: 1 });
        expect(await ids({ a: 1 })).toEqual([1, 2]);
      });

      it('may be created again, but not otherwise', async () => {
        const create = (options: Fields) => model.collection.createIndex({ a: 1 }, options);
        expect(await create({ unique: true })).toBe('a_1');
        expect(await create({ unique: true })).toBe('a_1');
        await expect(create({ unique: false })).rejects.toMatchObject({
          codeName: expect.stringContaining('Conflict'),
        });
        await expect(create({ unique: true, name: 'other' })).rejects.toMatchObject({ code: 85 });
      });

      it('are listed, dropped and synchronised with a schema', async () => {
        const schema = new Schema({ a: Number, b: Number }, { autoIndex: false, autoCreate: false });
        schema.index({ a: 1 }, { unique: true });
        schema.index({ b: -1 }, { sparse: true });
        const indexed = newModel(store.connection, schema);
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
        'with a time to live remove what has expired',
        async () => {
          await model.collection.createIndex({ expiry: 1 }, { expireAfterSeconds: 0 });
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
        const result = await model.collection.bulkWrite(operations() as never);
        expect(result).toMatchObject({
          insertedCount: 2,
          matchedCount: 4,
          modifiedCount: 4,
          deletedCount: 1,
          upsertedCount: 1,
          upsertedIds: { 4: 3 },
        });
        expect(await model.collection.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
          { _id: 1, a: 5, n: 1 },
          { _id: 2, b: 2 },
        ]);
      });

      const withDuplicate = [1, 1, 2].map((id) => ({ insertOne: { document: { _id: id } } }));

      it('stop at the first error when ordered', async () => {
        await expect(model.collection.bulkWrite(withDuplicate as never)).rejects.toMatchObject({
          name: 'MongoBulkWriteError',
          code: 11000,
        });
        expect(await ids({})).toEqual([1]);
      });

      it('go on when not ordered, and tell what failed', async () => {
        const failure: unknown = await model.collection
          .bulkWrite(withDuplicate as never, { ordered: false })
          .catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: 11000, insertedCount: 2 });
        const { writeErrors } = failure as { writeErrors: readonly { index: number; code: number }[] };
        expect(writeErrors.map(({ index, code }) => [index, code])).toEqual([[1, 11000]]);
        expect(await ids({})).toEqual([1, 2]);
      });

      it('work through a model', async () => {
        await model.bulkWrite([{ insertOne: { document: { _id: 1, a: 1 } } }] as never);
        expect(await one(1)).toMatchObject({ a: 1 });
      });
    });

    describe('distinct and aggregate', () => {
      beforeEach(() =>
        insert(
          { _id: 1, g: 'a', n: 1, tags: ['x', 'y'] },
          { _id: 2, g: 'b', n: 2, tags: ['y'] },
          { _id: 3, g: 'a', n: 3 },
          { _id: 4, n: 4 },
        ),
      );

      it('distinct gives each value once, arrays by element', async () => {
        expect(new Set(await model.collection.distinct('g'))).toEqual(new Set(['a', 'b']));
        expect(new Set(await model.collection.distinct('tags', { n: { $lt: 3 } } as never))).toEqual(
          new Set(['x', 'y']),
        );
        expect(new Set(await model.distinct('n', { g: 'a' }))).toEqual(new Set([1, 3]));
      });

      it.each<[string, Fields[], unknown[]]>([
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
        expect(await model.collection.aggregate(pipeline).toArray()).toEqual(expected);
        expect(await model.aggregate(pipeline as never)).toEqual(expected);
      });

      it('$group tells ids and dates apart', async () => {
        const [first, second] = [new mongo.ObjectId(), new mongo.ObjectId()];
        await model.collection.deleteMany({});
        await insert(
          { _id: 1, id: first, at: new Date(1) },
          { _id: 2, id: second, at: new Date(1) },
          { _id: 3, id: first, at: new Date(2) },
        );
        const count = async (field: string) =>
          (await model.collection.aggregate([{ $group: { _id: field, n: { $sum: 1 } } }]).toArray())
            .map((row) => row['n'])
            .sort();
        expect(await count('$id')).toEqual([1, 2]);
        expect(await count('$at')).toEqual([1, 2]);
        expect(await model.collection.aggregate([{ $match: { id: first } }]).toArray()).toHaveLength(2);
      });

      it('cursors give one document after the other', async () => {
        const seen: unknown[] = [];
        for await (const row of model.find({}).sort({ _id: 1 }).lean().cursor()) seen.push(row._id);
        for await (const row of model.collection.find({}, { sort: { _id: -1 }, limit: 2 })) seen.push(row._id);
        expect(seen).toEqual([1, 2, 3, 4, 4, 3]);
      });
    });
  });
}

function newModel(connection: Connection, schema?: Schema): Model<Row> {
  const name = `contract_${randomUUID().replaceAll('-', '')}`;
  const open = new Schema(
    { _id: Schema.Types.Mixed },
    { strict: false, versionKey: false, autoIndex: false, autoCreate: false },
  );
  return connection.model(name, schema ?? open, name) as unknown as Model<Row>;
}
