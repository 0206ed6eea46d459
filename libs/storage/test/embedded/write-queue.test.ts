import { collectionOf, storeFixture } from './store-fixture';

const WRITES = 100;

describe('writes that wait at the same time', () => {
  const fixture = storeFixture();

  afterAll(() => fixture.remove());

  it('are acknowledged a few at a time, so that their continuations do not block the event loop', async () => {
    const rows = collectionOf(await fixture.open(), 'rows');
    await rows.insertOne({ _id: -1 });
    let inTurn = 0;
    let most = 0;
    let next = setImmediate(forget);
    function forget() {
      inTurn = 0;
      next = setImmediate(forget);
    }
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: WRITES }, async (_, n) => {
        await rows.insertOne({ _id: n });
        order.push(n);
        inTurn += 1;
        most = Math.max(most, inTurn);
      }),
    );
    clearImmediate(next);
    expect(order).toEqual(Array.from({ length: WRITES }, (_, n) => n));
    expect(most).toBeLessThan(WRITES / 2);
  });

  it('have all been answered when the store is closed', async () => {
    const connection = await fixture.open();
    const rows = collectionOf(connection, 'others');
    let answered = 0;
    const writes = Array.from({ length: WRITES }, async (_, n) => {
      await rows.insertOne({ _id: n });
      answered += 1;
    });
    await connection.close();
    expect(answered).toBe(WRITES);
    await Promise.all(writes);
  });
});
