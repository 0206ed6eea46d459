import type { Connection } from 'mongoose';
import { embeddedStats } from '../../src/embedded';
import { anyFilter } from '../../src/filter';
import { collectionOf, storeFixture, type RawCollection } from './store-fixture';

type Fields = Record<string, unknown>;

const COUNT = 3000;
const ACTIONS = ['core.noop', 'core.local'];
const STATUSES = ['running', 'succeeded'];
const FILTER = { action: 'core.noop', status: 'succeeded' };

const row = (n: number) => ({ _id: n, action: ACTIONS[n % 2], status: STATUSES[(n >> 1) % 2], parts: [n % 3] });

/** Seeded, so that every run uses the same numbers. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

describe('an expensive count of the embedded store', () => {
  const fixture = storeFixture();
  let connection: Connection;
  let rows: RawCollection;
  const examined = () => embeddedStats(connection).documentsExamined;
  const found = async (filter: Record<string, unknown>) => (await rows.find(filter).toArray()).length;

  beforeEach(async () => {
    connection = await fixture.open();
    rows = collectionOf(connection, 'rows');
    await rows.deleteMany({});
    await rows.createIndex({ action: 1 });
    await rows.insertMany(Array.from({ length: COUNT }, (_, n) => row(n)));
  });
  afterAll(() => fixture.remove());

  it('reads the documents once', async () => {
    expect(await rows.countDocuments(FILTER)).toBe(COUNT / 4);
    const before = examined();
    expect(before).toBeGreaterThan(COUNT / 4);
    expect(await rows.countDocuments(FILTER)).toBe(COUNT / 4);
    expect(await rows.countDocuments({ ...FILTER })).toBe(COUNT / 4);
    expect(examined()).toBe(before);
  });

  it('stays exact through any writes', async () => {
    const filters = [FILTER, { status: 'running' }, { parts: 2, action: { $in: ACTIONS } }, { 'parts.0': { $gt: 0 } }];
    const random = randomNumbers(17);
    const writes = [
      (n: number) => rows.insertOne(row(COUNT + n)),
      (n: number) => rows.updateOne({ _id: n }, { $set: { status: STATUSES[n % 2] } }),
      (n: number) => rows.updateMany({ _id: { $gte: n, $lt: n + 20 } }, { $set: { action: ACTIONS[n % 2] } }),
      (n: number) => rows.updateOne({ _id: n }, { $push: { parts: 2 } }),
      (n: number) => rows.findOneAndUpdate({ _id: n }, { $unset: { status: '' } }),
      (n: number) => rows.updateOne({ _id: 2 * COUNT + n }, { $set: row(n) }, { upsert: true }).catch(() => undefined),
      (n: number) => rows.deleteOne({ _id: n }),
      (n: number) => rows.deleteMany({ _id: { $gte: n, $lt: n + 5 } }),
    ];
    for (let round = 0; round < 60; round++) {
      const write = writes[random(writes.length)];
      await write?.(random(COUNT)).catch(() => undefined);
      if (round % 5 > 0) continue;
      for (const filter of filters) expect([round, await rows.countDocuments(filter)]).toEqual([round, await found(filter)]); // oxfmt-ignore
    }
  });

  describe('of alternatives that are used again', () => {
    /** Few documents are read for it: by itself, it is not dear. */
    const mixed = anyFilter<Fields>([{ action: 'core.noop' }, { number: { $lt: 10 } }]) as { $or: readonly Fields[] };

    it('reads the documents once, and stays exact', async () => {
      await rows.createIndex({ number: 1 });
      for (let n = 0; n < 20; n++) await rows.updateOne({ _id: n }, { $set: { number: n } });
      expect(await rows.countDocuments(mixed)).toBe(COUNT / 2 + 5);
      const before = examined();
      expect(await rows.countDocuments({ $and: [{}, mixed] })).toBe(COUNT / 2 + 5);
      expect(examined()).toBe(before);
      await rows.updateOne({ _id: 11 }, { $set: { number: 5 } });
      await rows.deleteOne({ _id: 0 });
      expect(await rows.countDocuments(mixed)).toBe(COUNT / 2 + 5);
      // The same alternatives in a list that may change.
      expect(await rows.countDocuments({ $or: [...mixed.$or] })).toBe(COUNT / 2 + 5);
    });

    it('is known for any number of filters until a write', async () => {
      await rows.updateMany({ _id: { $lt: 60 } }, { $set: { action: 'rare' } });
      const ofPart = (part: number) => anyFilter<Fields>([{ action: 'rare', parts: part }]);
      const filters = Array.from({ length: 10 }, (_, n) => ofPart(n));
      const counts = async () => {
        const before = examined();
        const result: number[] = [];
        for (const filter of filters) result.push(await rows.countDocuments({ $and: [{}, filter] }));
        return { result, read: examined() - before };
      };
      const first = { result: [20, 20, 20, 0, 0, 0, 0, 0, 0, 0], read: 600 };
      expect(await counts()).toEqual(first);
      expect(await counts()).toEqual({ ...first, read: 0 });
      await rows.updateOne({ _id: 0 }, { $set: { parts: [9] } });
      expect((await counts()).result).toEqual([19, 20, 20, 0, 0, 0, 0, 0, 0, 1]);
      await rows.deleteMany({ action: 'rare', parts: 9 });
      expect((await counts()).result).toEqual([19, 20, 20, 0, 0, 0, 0, 0, 0, 0]);
    });

    it('does not take the place of a dear one', async () => {
      await rows.countDocuments(FILTER);
      const before = examined();
      for (let n = 0; n < 10; n++) {
        const other = anyFilter<Fields>([{ action: `other${n}` }, { action: `another${n}` }]);
        expect(await rows.countDocuments(other)).toBe(0);
      }
      expect(await rows.countDocuments(FILTER)).toBe(COUNT / 4);
      expect(examined()).toBe(before);
    });
  });

  it('is exact after a write while it was counted', async () => {
    const counting = rows.countDocuments(FILTER);
    const removing = rows.deleteMany({ _id: { $gte: COUNT - 100 } });
    await Promise.all([counting, removing]);
    expect(await rows.countDocuments(FILTER)).toBe(await found(FILTER));
  });

  it('is exact after a write that failed', async () => {
    await rows.createIndex({ serial: 1 }, { unique: true, sparse: true });
    await rows.insertOne({ ...row(0), _id: 'one', serial: 1 });
    expect(await rows.countDocuments(FILTER)).toBe(COUNT / 4);
    const twice = [
      { ...row(2), _id: 'two' },
      { ...row(2), _id: 'three', serial: 1 },
      { ...row(2), _id: 'four' },
    ];
    await expect(rows.insertMany(twice)).rejects.toThrow('duplicate');
    expect(await rows.countDocuments(FILTER)).toBe(await found(FILTER));
  });

  it('keeps apart filters that differ in one value', async () => {
    expect(await rows.countDocuments({ ...FILTER, status: 'running' })).toBe(COUNT / 4);
    expect(await rows.countDocuments({ ...FILTER, status: null })).toBe(0);
    expect(await rows.countDocuments({ ...FILTER, status: /^run/ })).toBe(COUNT / 4);
    expect(await rows.countDocuments({ ...FILTER, status: /^nothing/ })).toBe(0);
  });
});
