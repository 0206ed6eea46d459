import { collectionOf, storeFixture, type RawCollection } from './store-fixture';

const TEXT = 'x'.repeat(2 * 1024 * 1024);
const COUNT = 12;

describe('reads of large documents that begin in the same turn of the event loop', () => {
  const fixture = storeFixture();
  let rows: RawCollection;

  beforeEach(async () => {
    // Documents in the cache are not decoded again.
    const connection = await fixture.open({ cacheBytes: 1024 });
    rows = collectionOf(connection, 'rows');
    if ((await rows.countDocuments()) > 0) return;
    for (let n = 0; n < COUNT; n++) await rows.insertOne({ _id: n, kind: n, text: TEXT });
    await rows.createIndex({ kind: 1, place: 1 });
  });

  afterAll(() => fixture.remove());

  /** The turns that pass until all reads have ended. */
  async function turnsOf(reads: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    let next = setImmediate(count);
    function count() {
      turns += 1;
      next = setImmediate(count);
    }
    await reads();
    clearImmediate(next);
    return turns;
  }

  it.each<[string, () => Promise<unknown>]>([
    ['of single documents', () => Promise.all(Array.from({ length: COUNT }, (_, n) => rows.findOne({ _id: n })))],
    ['of lists', () => Promise.all(Array.from({ length: COUNT }, (_, n) => rows.find({ kind: n }).toArray()))],
    [
      'of distinct values',
      () => Promise.all(Array.from({ length: COUNT }, (_, n) => rows.distinct('text', { kind: n }))),
    ],
    [
      'for a list from several ranges of an index',
      () => rows.find({ kind: { $in: Array.from({ length: COUNT }, (_, n) => n) } }, { sort: { place: 1 } }).toArray(),
    ],
  ])('are not all done in that turn: %s', async (_, reads) => {
    expect(await turnsOf(reads)).toBeGreaterThanOrEqual(3);
  });
});
