import type { Connection } from 'mongoose';
import { collectionOf, storeFixture, type RawCollection } from './store-fixture';

type Attempt = (rows: RawCollection, connection: Connection) => unknown;

describe('an embedded store rejects by name', () => {
  const fixture = storeFixture();
  let connection: Connection;

  beforeAll(async () => {
    connection = await fixture.open();
    await collectionOf(connection, 'rows').insertOne({ _id: 1, a: 1, list: [1] });
  });

  afterAll(() => fixture.remove());

  it.each<[string, Attempt, RegExp]>([
    ['sessions', (_, opened) => opened.startSession(), /sessions and transactions/],
    ['a session option', (rows) => rows.updateOne({}, { $set: { a: 1 } }, { session: {} }), /"session"/],
    ['a collation', (rows) => rows.find({}, { collation: { locale: 'en' } }).toArray(), /"collation"/],
    ['a hint', (rows) => rows.findOne({}, { hint: 'a_1' }), /"hint"/],
    ['change streams', (rows) => rows.watch(), /Collection\.watch/],
    ['text indexes', (rows) => rows.createIndex({ a: 'text' }), /the index type "text"/],
    ['geographic indexes', (rows) => rows.createIndex({ a: '2dsphere' }), /2dsphere/],
    ['wildcard indexes', (rows) => rows.createIndex({ 'a.$**': 1 }), /\$\*\*/],
    [
      'an index option',
      (rows) => rows.createIndex({ a: 1 }, { collation: { locale: 'en' } }),
      /index option "collation"/,
    ],
    ['a TTL over two fields', (rows) => rows.createIndex({ a: 1, b: 1 }, { expireAfterSeconds: 1 }), /single-field/],
    ['$where', (rows) => rows.findOne({ $where: 'true' }), /"\$where"/],
    ['$text', (rows) => rows.findOne({ $text: { $search: 'x' } }), /"\$text"/],
    ['$near', (rows) => rows.findOne({ a: { $near: [0, 0] } }), /"\$near"/],
    ['$function in an update', (rows) => rows.updateOne({ _id: 1 }, { $function: { a: 1 } }), /"\$function"/],
    ['an update without operators', (rows) => rows.updateOne({ _id: 1 }, { a: 1 }), /atomic operators/],
    ['$out', (rows) => rows.aggregate([{ $out: 'other' }]).toArray(), /"\$out"/],
    ['$merge', (rows) => rows.aggregate([{ $merge: 'other' }]).toArray(), /"\$merge"/],
    ['another database', () => connection.useDb('other'), /a second database/],
  ])('%s', async (_, attempt, message) => {
    await expect((async () => attempt(collectionOf(connection, 'rows'), connection))()).rejects.toThrow(message);
  });

  it.each<[string, Attempt]>([
    ['write', (rows) => rows.insertOne({ _id: 2 })],
    ['read', (rows) => rows.find().toArray()],
  ])('a %s after it is closed', async (_, attempt) => {
    const rows = collectionOf(connection, 'rows');
    await fixture.close();
    await expect((async () => attempt(rows, connection))()).rejects.toThrow(/closed/);
  });
});
