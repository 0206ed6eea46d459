import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Connection } from 'mongoose';
import { collectionOf, storeFixture, type RawCollection } from './store-fixture';

const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('sorting without an index', () => {
  const fixture = storeFixture();
  let connection: Connection;
  let rows: RawCollection;

  beforeAll(async () => {
    connection = await fixture.open();
    rows = collectionOf(connection, 'rows');
    const text = 'x'.repeat(2 * MIB);
    for (let n = 0; n < 100; n++) await rows.insertOne({ _id: n, place: (n * 37) % 100, text });
  }, 120_000);

  afterAll(() => fixture.remove());

  const heldMb = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / MIB;
  };

  it('does not hold large documents that are not in the page', async () => {
    const held: number[] = [];
    let reading = true;
    let turns = 0;
    const look = () => {
      if (++turns % 10 === 0) held.push(heldMb());
      if (reading) setImmediate(look);
    };
    const before = heldMb();
    look();
    const found = await rows.find({}, { sort: { place: 1 }, limit: 3 }).toArray();
    reading = false;
    expect(found.map(({ place }) => place)).toEqual([0, 1, 2]);
    // Together they have 200 MB.
    expect(held.length).toBeGreaterThan(2);
    expect(Math.max(...held) - before).toBeLessThan(50);
  });

  it('leaves out a document that was removed or no longer matches when it is read again', async () => {
    const cursor = rows.find({ place: { $gte: 90 } }, { sort: { place: 1 } });
    const found = cursor.toArray();
    const removed = rows.deleteOne({ place: 95 });
    const changed = rows.updateOne({ place: 96 }, { $set: { place: 5 } });
    await Promise.all([removed, changed]);
    expect((await found).map(({ place }) => place)).toEqual([90, 91, 92, 93, 94, 97, 98, 99]);
  });

  it('keeps the order of thousands of documents, and of equal ones', async () => {
    const many = collectionOf(connection, 'many');
    const COUNT = 10_000;
    await many.insertMany(Array.from({ length: COUNT }, (_, n) => ({ _id: n, group: (n * 7) % 10 })));
    const found = await many.find({}, { sort: { group: -1 } }).toArray();
    const expected = Array.from({ length: COUNT }, (_, n) => ({ _id: n, group: (n * 7) % 10 }));
    expected.sort((a, b) => b.group - a.group || a._id - b._id);
    expect(found.map(({ _id }) => _id).join()).toBe(expected.map(({ _id }) => _id).join());
  });
});
