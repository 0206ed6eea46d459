import type { Connection } from 'mongoose';
import { databaseOf } from '../../src/embedded/driver';
import { embeddedStats } from '../../src/embedded';
import { collectionOf, storeFixture, type RawCollection } from './store-fixture';

const COUNT = 3000;
const statuses = ['requested', 'running', 'succeeded', 'failed'];

const row = (n: number) => ({
  _id: n,
  status: statuses[n % statuses.length],
  start: n,
  action: `pack.action${n % 30}`,
  even: n % 2 === 0,
  ...(n % 100 === 0 ? { due: ['scheduler', 'notifier'], priority: n % 7, at: n } : {}),
  ...(n % 10 === 0 ? { slot: `s${n}` } : {}),
});

describe('the planner', () => {
  const fixture = storeFixture();
  let connection: Connection;
  let rows: RawCollection;

  beforeAll(async () => {
    connection = await fixture.open();
    rows = collectionOf(connection, 'rows');
    await rows.createIndex({ start: -1 });
    await rows.createIndex({ status: 1, start: -1 });
    await rows.createIndex({ action: 1 });
    await rows.createIndex({ slot: 1 }, { unique: true, sparse: true });
    await rows.createIndex({ due: 1, priority: -1, at: 1 }, { partialFilterExpression: { due: { $exists: true } } });
    await rows.insertMany(Array.from({ length: COUNT }, (_, n) => row(n)));
  });

  afterAll(() => fixture.remove());

  /** The work of an operation. */
  async function cost(action: () => Promise<unknown>) {
    const before = embeddedStats(connection);
    const result = await action();
    const after = embeddedStats(connection);
    return {
      result,
      documents: after.documentsExamined - before.documentsExamined,
      keys: after.keysExamined - before.keysExamined,
      scans: after.scans - before.scans,
      indexes: after.lastPlan?.indexes,
    };
  }

  type Query = [filter: Record<string, unknown>, options: Record<string, unknown>, index: string, most: number];

  it.each<Query>([
    [{ _id: 7 }, {}, '_id_', 1],
    [{ _id: { $in: [1, 2, 3] } }, {}, '_id_', 3],
    [{ _id: { $in: [3, 7, 11] }, status: 'failed' }, {}, '_id_', 3],
    [{ _id: { $gte: 10, $lt: 20 } }, {}, '_id_', 10],
    [{}, { sort: { _id: -1 }, limit: 5 }, '_id_', 5],
    [{}, { sort: { start: -1 }, limit: 50 }, 'start_-1', 50],
    [{}, { sort: { start: 1 }, limit: 50, skip: 10 }, 'start_-1', 50],
    [{ start: { $gt: 100, $lte: 120 } }, {}, 'start_-1', 20],
    [{ start: { $gte: 2995 } }, { sort: { start: 1 } }, 'start_-1', 5],
    [{ status: 'failed' }, { sort: { start: -1 }, limit: 10 }, 'status_1_start_-1', 10],
    [{ status: 'failed', start: { $lt: 50 } }, {}, 'status_1_start_-1', 12],
    [{ status: { $in: ['failed', 'running'] } }, { sort: { start: -1 }, limit: 10 }, 'status_1_start_-1', 10],
    [
      { status: { $in: ['failed', 'running'] } },
      { sort: { status: 1, start: -1 }, limit: 10 },
      'status_1_start_-1',
      10,
    ],
    [{ status: { $in: ['failed', 'running'] } }, { sort: { status: -1, start: 1 }, limit: 1 }, 'status_1_start_-1', 1],
    [{ action: 'pack.action3' }, {}, 'action_1', 100],
    [{ slot: 's500' }, {}, 'slot_1', 1],
    [{ slot: { $exists: true } }, {}, 'slot_1', COUNT / 10],
    [{ due: 'scheduler' }, { sort: { priority: -1, at: 1 }, limit: 3 }, 'due_1_priority_-1_at_1', 3],
    [{ due: 'scheduler', at: { $lte: 1000 } }, { sort: { priority: -1, at: 1 } }, 'due_1_priority_-1_at_1', 30],
    [{ $or: [{ slot: 's10' }, { _id: 3 }] }, {}, 'slot_1', 2],
    [{ status: 'failed', even: false }, { limit: 5 }, 'status_1_start_-1', 5],
  ])('uses an index for %j with %j', async (filter, options, index, most) => {
    const { documents, scans, indexes, result } = await cost(() => rows.find(filter, options).toArray());
    expect({ scans, index: indexes?.[0] }).toEqual({ scans: 0, index });
    expect(documents).toBeLessThanOrEqual(most);
    expect((result as unknown[]).length).toBeGreaterThan(0);
  });

  it('reads no skipped document and no skipped key when all documents match', async () => {
    const find = (skip: number) => cost(() => rows.find({}, { sort: { start: -1 }, skip }).toArray());
    expect(await find(COUNT)).toMatchObject({ documents: 0, keys: 0, result: [] });
    expect(await find(COUNT + 5)).toMatchObject({ documents: 0, keys: 0, result: [] });
    expect(await find(COUNT - 2)).toMatchObject({ documents: 2, keys: 2, result: [{ _id: 1 }, { _id: 0 }] });
  });

  it.each([
    ['forwards', { start: 1 }, [2000, 2001]],
    ['backwards', { start: -1 }, [999, 998]],
    ['by _id', { _id: 1 }, [2000, 2001]],
    ['backwards by _id', { _id: -1 }, [999, 998]],
  ])('skips documents %s', async (_, sort, ids) => {
    const found = await rows.find({}, { sort, skip: 2000, limit: 2 }).toArray();
    expect(found.map(({ _id }) => _id)).toEqual(ids);
  });

  it.each([
    [{ even: true }, {}],
    [{ status: { $ne: 'failed' } }, {}],
    [{ slot: null }, {}],
    [{ at: 100 }, {}],
    [{ action: /action1$/ }, {}],
  ])('scans everything for %j', async (filter, options) => {
    const { documents, scans } = await cost(() => rows.find(filter, options).toArray());
    expect({ documents, scans }).toEqual({ documents: COUNT, scans: 1 });
  });

  it.each([
    [{ status: 'failed' }, COUNT / 4],
    [{ status: { $in: ['failed', 'running'] } }, COUNT / 2],
    [{ start: { $gte: 1000, $lt: 2000 } }, 1000],
    [{}, COUNT],
    [{ $or: [{ status: 'failed' }] }, COUNT / 4],
    [{ $or: [{ action: { $in: ['pack.action3'] } }, { action: { $gte: 'pack.', $lt: 'pack.b' } }] }, COUNT],
    [{ $or: [{ action: 'pack.none' }, { action: 'pack.action3' }, { action: 'pack.action3' }] }, 100],
  ])('counts %j without reading documents', async (filter, expected) => {
    const { documents, result } = await cost(() => rows.countDocuments(filter));
    expect({ documents, result }).toEqual({ documents: 0, result: expected });
  });

  it('counts alternatives in different indexes by the larger one, and reads the others', async () => {
    const filter = { $or: [{ _id: { $in: [3, 4, 5] } }, { status: 'failed' }, { slot: 's10' }] };
    const { documents, result } = await cost(() => rows.countDocuments(filter));
    expect(result).toBe((await rows.find(filter).toArray()).length);
    expect(documents).toBe(4);
  });

  it('counts the documents of a multikey index once', async () => {
    expect(await rows.countDocuments({ due: { $in: ['scheduler', 'notifier'] } })).toBe(COUNT / 100);
  });

  it.each([
    ['a field in no index', { $set: { seen: 1 } }, 1],
    ['an indexed field to its old value', { $set: { action: 'pack.action3', seen: 2 } }, 1],
    ['an indexed field', { $set: { action: 'pack.other' } }, 3],
    ['a part of what an index is on', { $pull: { due: 'notifier' } }, 2],
  ])('keeps unchanged keys when a write changes %s', async (_, update, keys) => {
    await rows.insertOne({ ...row(3), _id: -1, due: ['scheduler', 'notifier'], priority: 1, at: 1 });
    const before = embeddedStats(connection).keysWritten;
    await rows.updateMany({ _id: { $in: [-1] } }, update);
    expect(embeddedStats(connection).keysWritten - before).toBe(keys);
    await rows.deleteOne({ _id: -1 });
  });

  it('finds the document of a compare-and-set by its id', async () => {
    const change = () => rows.findOneAndUpdate({ _id: 9, status: 'running' }, { $set: { seen: true } });
    expect(await cost(change)).toMatchObject({ documents: 1, scans: 0 });
  });

  it('uses an index for the first stages of a pipeline', async () => {
    const pipeline = [{ $match: { status: 'failed' } }, { $sort: { start: -1 } }, { $limit: 4 }, { $count: 'n' }];
    const { documents, result } = await cost(() => rows.aggregate(pipeline).toArray());
    expect({ documents, result }).toEqual({ documents: 4, result: [{ n: 4 }] });
  });

  it('prefers an ordered index over one that leaves nearly everything to sort', async () => {
    const wide = collectionOf(connection, 'wide');
    await wide.createIndex({ kind: 1 });
    await wide.createIndex({ n: 1 });
    await wide.insertMany(Array.from({ length: 4000 }, (_, n) => ({ _id: n, n, kind: n < 10 ? 'rare' : 'usual' })));
    const sort = { n: -1 };
    expect(await cost(() => wide.find({ kind: 'usual' }, { sort, limit: 5 }).toArray())).toMatchObject({
      documents: 5,
    });
    expect(await cost(() => wide.find({ kind: 'rare' }, { sort, limit: 5 }).toArray())).toMatchObject({
      documents: 10,
    });
  });

  it('merges many values of a field by the keys of an index, and reads only the documents of the page', async () => {
    const merged = collectionOf(connection, 'merged');
    await merged.createIndex({ action: 1, start: -1 });
    await merged.createIndex({ kind: -1, name: 1 });
    const texts = ['', 'a', 'a\0', 'a\0b', 'ab', 'b'];
    const all = Array.from({ length: 600 }, (_, n) => {
      return { _id: n, action: `action${n % 60}`, start: n, kind: texts[n % 5], name: `${texts[n % 6]}${n % 7}` };
    });
    await merged.insertMany(all);
    const ids = (result: unknown) => (result as { _id: number }[]).map(({ _id }) => _id);
    const action = { $in: Array.from({ length: 50 }, (_, n) => `action${n}`) };
    const wanted = all.filter(({ _id }) => _id % 60 < 50).map(({ _id }) => _id);
    const last = await cost(() => merged.find({ action }, { sort: { start: -1 }, limit: 5 }).toArray());
    expect({ ids: ids(last.result), documents: last.documents }).toEqual({ ids: wanted.slice(-5).reverse(), documents: 5 }); // oxfmt-ignore
    const second = await cost(() => merged.find({ action }, { sort: { start: 1 }, skip: 5, limit: 5 }).toArray());
    expect({ ids: ids(second.result), documents: second.documents }).toEqual({ ids: wanted.slice(5, 10), documents: 10 }); // oxfmt-ignore
    const before = { action, start: { $lt: 300 } };
    const some = await cost(() => merged.find(before, { sort: { start: -1 }, limit: 3 }).toArray());
    expect({ ids: ids(some.result), documents: some.documents }).toEqual({ ids: [289, 288, 287], documents: 3 });
    const kinds = ['', 'a\0', 'ab'];
    for (const direction of [1, -1]) {
      const found = await cost(() => merged.find({ kind: { $in: kinds } }, { sort: { name: direction } }).toArray());
      const names = all.filter(({ kind }) => kinds.includes(kind!)).map(({ name }) => name).sort(); // oxfmt-ignore
      expect(found.indexes).toEqual(['kind_-1_name_1']);
      expect((found.result as { name: string }[]).map(({ name }) => name)).toEqual(direction === 1 ? names : names.reverse()); // oxfmt-ignore
    }
  });

  it('needs no other condition than those of a partial index to tell what matches', async () => {
    const trees = collectionOf(connection, 'trees');
    await trees.createIndex({ status: 1 });
    const partialFilterExpression = { root: { $exists: true }, flow: true };
    await trees.createIndex({ root: 1, status: 1 }, { partialFilterExpression });
    const all = Array.from({ length: COUNT }, (_, n) => {
      return { _id: n, status: n % 2 === 0 ? 'open' : 'over', flow: n % 3 > 0, root: n < 900 ? 'other' : 'this' };
    });
    await trees.insertMany(all);
    const isWanted = ({ flow, root, status }: (typeof all)[number]) => flow && root === 'this' && status === 'open';
    const filter = { root: 'this', flow: true, status: { $in: ['open', 'none'] } };
    const page = await cost(() => trees.find(filter, { limit: 5 }).toArray());
    expect(page).toMatchObject({ documents: 5, scans: 0, indexes: ['root_1_status_1'], result: all.filter(isWanted).slice(0, 5) }); // oxfmt-ignore
    const counted = await cost(() => trees.countDocuments(filter));
    expect(counted).toMatchObject({ documents: 0, result: all.filter(isWanted).length });
    const others = all.filter(({ flow, root, status }) => !flow && root === 'this' && status === 'open').length;
    // The index has none of these.
    for (const flow of [false, { $ne: true }]) expect(await trees.countDocuments({ ...filter, flow })).toBe(others);
  });

  it('reads of an ordered list only the documents that match alternatives, by the keys of the index', async () => {
    const seen = collectionOf(connection, 'seen');
    await seen.createIndex({ start: -1 });
    await seen.createIndex({ start: -1, action: 1 });
    await seen.createIndex({ action: 1 });
    const action = (n: number) => (n === 5 || n === 6 ? `rare.action${n}` : `pack${n % 10}.action${n % 30}`);
    await seen.insertMany(Array.from({ length: COUNT }, (_, n) => ({ _id: n, start: n, action: action(n) })));
    const inPacks = (...packs: number[]) => ({
      $or: packs.map((pack) => ({ action: { $gte: `pack${pack}.`, $lt: `pack${pack}.\uffff` } })),
    });
    const page = { sort: { start: -1 }, limit: 20 };
    const ordered = await cost(() => seen.find(inPacks(3, 7), page).toArray());
    expect(ordered).toMatchObject({ documents: 20, indexes: ['start_-1_action_1'] });
    expect((ordered.result as { _id: number }[]).slice(0, 3).map(({ _id }) => _id)).toEqual([2997, 2993, 2987]);
    // The only alternative of a filter that is used again.
    const inPack = { $and: [{}, { $or: Object.freeze(inPacks(3).$or) }] };
    const single = await cost(() => seen.find(inPack, page).toArray());
    expect(single).toMatchObject({ documents: 20, indexes: ['start_-1_action_1'] });
    expect((single.result as { _id: number }[]).slice(0, 3).map(({ _id }) => _id)).toEqual([2993, 2983, 2973]);
    // The keys of two of them are not sufficient.
    const mixed = { $or: [...inPacks(3).$or, { action: { $regex: '^rare' } }] };
    expect((await seen.find(mixed, { ...page, sort: { start: 1 } }).toArray()).map(({ _id }) => _id).slice(0, 3)).toEqual([3, 5, 6]); // oxfmt-ignore
    // Few matches are sorted instead of searched for in order.
    const rare = { $or: [{ action: 'rare.action5' }, { action: 'rare.action6' }] };
    const sorted = await cost(() => seen.find(rare, page).toArray());
    expect((sorted.result as { _id: number }[]).map(({ _id }) => _id)).toEqual([6, 5]);
    expect(sorted.keys).toBeLessThan(5);
  });

  it.each([
    { name: 1, action: -1 },
    { name: -1, action: 1 },
  ])('tests keys behind a text, in both directions: %j', async (key) => {
    const direction = key.name === 1 ? 'up' : 'down';
    const named = collectionOf(connection, `named-${direction}`);
    await named.createIndex(key);
    const name = (n: number) => `${String(n).padStart(4, '0')}${n % 7 === 0 ? '\0' : ''}`;
    await named.insertMany(Array.from({ length: 700 }, (_, n) => ({ _id: n, name: name(n), action: `a${n % 10}` })));
    const filter = { $or: Object.freeze([{ action: { $gte: 'a2', $lt: 'a4' } }, { action: 'a7' }]) };
    const wanted = Array.from({ length: 700 }, (_, n) => n).filter((n) => [2, 3, 7].includes(n % 10));
    for (const limit of [5, 500]) {
      const forward = await cost(() => named.find(filter, { sort: { name: 1 }, limit }).toArray());
      expect(forward.documents).toBe(Math.min(limit, wanted.length));
      expect((forward.result as { _id: number }[]).map(({ _id }) => _id)).toEqual(wanted.slice(0, limit));
      const backward = await named.find(filter, { sort: { name: -1 }, limit }).toArray();
      expect(backward.map(({ _id }) => _id)).toEqual([...wanted].reverse().slice(0, limit));
    }
  });

  it('plans alternatives that are used again anew when the values in an index change', async () => {
    const again = collectionOf(connection, 'again');
    const plain = { _id: 'plain', n: 2 };
    await again.createIndex({ n: 1 });
    await again.insertMany([plain, { _id: 'other', n: 4 }]);
    const inRange = Object.freeze([{ n: { $gte: 1, $lt: 3 } }]);
    const find = () => cost(() => again.find({ $and: [{}, { $or: inRange }] }).toArray());
    expect(await find()).toMatchObject({ result: [plain], documents: 1, scans: 0 });
    // One of its values is high enough, the other one is low enough.
    const array = { _id: 'array', n: [0, 5] };
    await again.insertOne(array);
    const both = expect.arrayContaining([plain, array]) as unknown;
    expect((await find()).result).toEqual(both);
    await again.dropIndex('n_1');
    expect(await find()).toMatchObject({ result: both, scans: 1 });
    await again.deleteOne({ _id: 'array' });
    await again.createIndex({ n: 1 });
    expect(await find()).toMatchObject({ result: [plain], documents: 1, scans: 0 });
  });

  it('finds long texts by an index, and keeps their order', async () => {
    const texts = collectionOf(connection, 'texts');
    await texts.createIndex({ t: 1 });
    const long = (n: number) => `${'x'.repeat(400)}${n}`;
    await texts.insertMany([3, 1, 2].map((n) => ({ _id: n, t: long(n) })));
    expect(await cost(() => texts.find({ t: long(2) }).toArray())).toMatchObject({ scans: 0, documents: 1 });
    const order = async (sort: Record<string, number>) =>
      (await texts.find({}, { sort }).toArray()).map(({ _id }) => _id);
    expect(await order({ t: 1 })).toEqual([1, 2, 3]);
    expect((await texts.find({ t: { $gt: long(1) } }).toArray()).map(({ _id }) => _id).sort()).toEqual([2, 3]);
  });

  it('keeps what it reads in the cache, unless it is read once', async () => {
    const filter = { action: 'pack.action7' };
    const again = await fixture.open();
    const list = async (options: { once?: boolean }) => {
      const store = databaseOf(again).collection('rows');
      const before = store.bytesDecoded;
      expect(await collectionOf(again, 'rows').find(filter, options).toArray()).toHaveLength(COUNT / 30);
      return store.bytesDecoded - before;
    };
    const all = await list({ once: true });
    expect(all).toBeGreaterThan(0);
    expect([await list({ once: true }), await list({}), await list({}), await list({ once: true })]).toEqual([
      all,
      all,
      0,
      0,
    ]);
    connection = await fixture.open();
    rows = collectionOf(connection, 'rows');
  });

  it('yields to other work while it reads a long list to sort it', async () => {
    const long = collectionOf(connection, 'long');
    const text = 'x'.repeat(2000);
    await long.insertMany(Array.from({ length: 5000 }, (_, n) => ({ _id: n, place: -n, text })));
    const counted = countTurns();
    const sorted = await long.find({}, { sort: { place: 1 } }).toArray();
    const turns = counted();
    expect(sorted.map(({ _id }) => _id)).toEqual(Array.from({ length: 5000 }, (_, n) => 4999 - n));
    expect(turns).toBeGreaterThan(2);
  });

  it('yields to other work between large records that do not match', async () => {
    // Reading each takes more than a turn may take.
    const numbers = Array.from({ length: 200_000 }, (_, n) => n + 0.5);
    await collectionOf(connection, 'large').insertMany(Array.from({ length: 8 }, (_, n) => ({ _id: n, numbers })));
    // With an empty cache.
    connection = await fixture.open();
    const counted = countTurns();
    expect(await collectionOf(connection, 'large').countDocuments({ none: 1 })).toBe(0);
    expect(counted()).toBeGreaterThanOrEqual(7);
  });

  it('reads a single record after a few turns while a hundred cursors go through a long list', async () => {
    const [many, large] = ['many', 'single'].map((name) => collectionOf(connection, name)) as [
      RawCollection,
      RawCollection,
    ];
    await many.insertMany(Array.from({ length: 2000 }, (_, n) => ({ _id: n, text: 'x'.repeat(2000) })));
    // Reading it takes more than a turn may take.
    await large.insertOne({ _id: 1, numbers: Array.from({ length: 200_000 }, (_, n) => n + 0.5) });
    connection = await fixture.open();
    let isRead = false;
    const cursors = Array.from({ length: 100 }, async () => {
      const cursor = collectionOf(connection, 'many').find({});
      while (!isRead && (await cursor.next()) !== null);
    });
    await new Promise(setImmediate);
    const counted = countTurns();
    expect(await collectionOf(connection, 'single').findOne({ _id: 1 })).toMatchObject({ _id: 1 });
    const turns = counted();
    isRead = true;
    await Promise.all(cursors);
    expect(turns).toBeLessThan(20);
  });
});

/** @returns the number of turns of the event loop until it is called */
function countTurns(): () => number {
  let turns = 0;
  let next = setImmediate(turn);
  function turn(): void {
    turns += 1;
    next = setImmediate(turn);
  }
  return () => {
    clearImmediate(next);
    return turns;
  };
}
