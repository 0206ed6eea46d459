import { mongo } from 'mongoose';
import { StoreEnvironment } from '../../src/embedded/engine/environment';
import { depthOf } from '../../src/bson/elements';
import { MAX_NESTING, TOO_DEEP } from '../../src/bson/read-document';
import { deepBytes } from '../support/damage';
import { storeFixture } from './store-fixture';

const store = storeFixture();
afterAll(() => store.remove());

const DEPTH = 20_000;

/** Replaces the bytes of a document in a closed store. */
function overwrite(id: string, bytes: Buffer): void {
  const environment = new StoreEnvironment(`${store.directory}/data.sqlite`);
  const range = { start: Buffer.alloc(0), end: Buffer.alloc(8, 0xff) };
  const entry = [...environment.entries(range)].find(
    ({ key, value }) => key.includes(id) && value.length > 0 && value.readInt32LE(0) === value.length,
  );
  environment.put(entry!.key, bytes);
  environment.close();
}

const records = async () => (await store.open()).collection('things');

beforeAll(async () => {
  const things = await records();
  await things.insertMany(['sound', 'deep', 'broken'].map((_id) => ({ _id, kind: 'x', n: 1 })) as never[]);
  await things.createIndex({ kind: 1 });
  await store.close();
  overwrite('deep', deepBytes({ _id: 'deep', kind: 'x', n: 1 }, DEPTH));
  const bytes = Buffer.from(mongo.BSON.serialize({ _id: 'broken', kind: 'x', n: 1 }));
  bytes[4] = 0x66;
  overwrite('broken', bytes);
});

describe('a store with unreadable documents', () => {
  it('opens, and returns a note for values nested too deeply and the id of damaged documents', async () => {
    const things = await records();
    const found = await things.find({}).sort({ _id: 1 }).toArray();
    expect(found.map(({ _id }) => String(_id))).toEqual(['broken', 'deep', 'sound']);
    expect(found[0]).toEqual({ _id: 'broken', unreadable: expect.any(String) });
    expect(JSON.stringify(found[1])).toContain(TOO_DEEP);
    expect(found[2]).toEqual({ _id: 'sound', kind: 'x', n: 1 });
  });

  it('finds readable documents by an index, and skips entries without one', async () => {
    const things = await records();
    const found = await things.find({ kind: 'x' }).toArray();
    expect(found.map(({ _id }) => String(_id)).sort()).toEqual(['deep', 'sound']);
  });

  it('changes and removes them like others', async () => {
    const things = await records();
    await things.updateMany({ kind: 'x' }, { $set: { n: 2 } });
    expect(await things.findOne({ _id: 'deep' as never })).toMatchObject({ n: 2, payload: { a: {} } });
    await things.deleteOne({ _id: 'deep' as never });
    await things.deleteOne({ _id: 'broken' as never });
    expect(await things.countDocuments({})).toBe(1);
  });

  it('rejects deeply nested documents, as a server does', async () => {
    const things = await records();
    const nested = (depth: number): unknown =>
      JSON.parse('{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1)) as unknown;
    const error = { code: 15 };
    await expect(things.insertOne(nested(4000) as never)).rejects.toMatchObject(error);
    await expect(things.insertOne({ list: nested(MAX_NESTING) })).rejects.toMatchObject(error);
    await expect(things.updateOne({ _id: 'sound' as never }, { $set: { n: nested(4000) } })).rejects.toMatchObject(
      error,
    );
    const path = Array.from({ length: 30 }, () => 'p').join('.');
    await expect(
      things.updateOne({ _id: 'sound' as never }, { $set: { [path]: nested(MAX_NESTING - 10) } }),
    ).rejects.toMatchObject(error);
    await things.insertOne({ _id: 'limit', list: nested(MAX_NESTING - 1) } as never);
    expect(await things.findOne({ _id: 'limit' as never })).toEqual({ _id: 'limit', list: nested(MAX_NESTING - 1) });
  });
});

it('computes the depth of every kind of value', () => {
  const value = {
    ...{ a: 1, b: 1.5, c: 'text', d: null, e: true, f: new Date(1), g: /x/i, h: mongo.Long.fromNumber(3) },
    ...{ i: new mongo.ObjectId(), j: new mongo.Binary(Buffer.from('xy')), k: new mongo.Code('x', { y: 1 }) },
    ...{ l: new mongo.Decimal128('1.5'), m: new mongo.MinKey(), n: new mongo.Timestamp({ t: 1, i: 2 }) },
    list: [{ deep: [[]] }],
  };
  expect(depthOf(Buffer.from(mongo.BSON.serialize(value)))).toBe(5);
});
