import { embeddedStats, verifyAllIndexes } from '../../src/embedded';
import { collectionOf, storeFixture } from './store-fixture';

const HOUR_MS = 3_600_000;

describe('the sweeper', () => {
  const fixture = storeFixture();

  afterAll(() => fixture.remove());

  it('removes expired documents in batches, by their index', async () => {
    const connection = await fixture.open({ ttlSweepSeconds: 0.05 });
    const rows = collectionOf(connection, 'rows');
    const old = new Date(Date.now() - 2 * HOUR_MS);
    await rows.insertMany([
      ...Array.from({ length: 700 }, (_, n) => ({ _id: n, at: old })),
      { _id: 'fresh', at: new Date() },
      { _id: 'several', at: [new Date(), old] },
      { _id: 'never' },
    ]);
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: HOUR_MS / 1000 });
    while ((await rows.countDocuments({})) > 2) await new Promise((next) => setTimeout(next, 10));
    expect((await rows.find().toArray()).map(({ _id }) => _id)).toEqual(['fresh', 'never']);
    expect(embeddedStats(connection).scans).toBeLessThan(100);
    expect(verifyAllIndexes(connection)).toEqual([]);
  });
});
