import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { loadConfig } from '@switchyard/config';
import { leakCheck, openTestSite } from '@switchyard/testkit/platform';
import { mongo } from 'mongoose';
import { connectMongo } from '../../src';
import { documentOf } from '../../src/bson/elements';
import { TOO_DEEP } from '../../src/bson/read-document';
import { storeCollections } from '../../src/collections';
import { deepBytes } from '../support/damage';

const later = leakCheck();
const { BSON } = mongo;

const OP_MSG = 2013;
const OP_QUERY = 2004;
const HEADER_BYTES = 16;
const GREETING = { ok: 1, isWritablePrimary: true, helloOk: true, minWireVersion: 0, maxWireVersion: 25 };

const sized = (bytes: Buffer): Buffer => {
  bytes.writeInt32LE(bytes.length, 0);
  return bytes;
};

/** A document or array element with the given bytes. */
const element = (type: number, name: string, bytes: Buffer) =>
  Buffer.concat([Buffer.of(type), Buffer.from(`${name}\0`), bytes]);

/** The response to `find` with these documents, valid or not. */
function cursorOf(documents: readonly Buffer[]): Buffer {
  const batch = documentOf(documents.map((bytes, index) => element(0x03, String(index), bytes)));
  const head = BSON.serialize({ id: mongo.Long.ZERO, ns: 'db.things' });
  const cursor = documentOf([element(0x04, 'firstBatch', batch), Buffer.from(head.subarray(4, -1))]);
  return documentOf([element(0x03, 'cursor', cursor), Buffer.from(BSON.serialize({ ok: 1 }).subarray(4, -1))]);
}

function answerTo(message: Buffer, documents: readonly Buffer[]): Buffer {
  const isQuery = message.readInt32LE(12) === OP_QUERY;
  const isFind = message.includes('find\0');
  const body = isFind ? cursorOf(documents) : Buffer.from(BSON.serialize(GREETING));
  const head = Buffer.alloc(isQuery ? HEADER_BYTES + 20 : HEADER_BYTES + 5);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(isQuery ? 1 : OP_MSG, 12);
  if (isQuery) head.writeInt32LE(1, HEADER_BYTES + 16);
  return sized(Buffer.concat([head, body]));
}

/** A MongoDB server that returns these documents for every `find`. */
async function connectTo(documents: readonly Buffer[]) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('data', (message: Buffer) => socket.write(answerTo(message, documents)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { config } = loadConfig({ environment: {}, overrides: { database: { port } } });
  const connection = await connectMongo(config.database);
  later(async () => {
    await connection.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return storeCollections(connection);
}

it('reads damaged and deeply nested records of a server one by one', async () => {
  const bytes = (_id: string) => Buffer.from(BSON.serialize({ _id, ref: 'p.one', payload: { a: 1 } }));
  const badText = bytes('text');
  badText.write('\xff', badText.indexOf('p.one'), 'latin1');
  const { actions } = await connectTo([
    bytes('sound'),
    badText,
    deepBytes({ _id: 'deep' }, 250),
    deepBytes({ _id: 'deeper' }, 5000),
    deepBytes({ _id: 'deepest' }, 100_000),
  ]);
  const found = (await actions.list()) as unknown as Record<string, unknown>[];
  expect(found.map(({ _id }) => _id)).toEqual(['sound', 'text', 'deep', 'deeper', 'deepest']);
  expect(found[0]).toEqual({ _id: 'sound', ref: 'p.one', payload: { a: 1 } });
  expect(found[1]).toEqual({ _id: 'text', unreadable: expect.stringContaining('UTF-8') });
  for (const deep of found.slice(2)) expect(JSON.stringify(deep)).toContain(TOO_DEEP);
  const one = [];
  for await (const { _id } of actions.each()) one.push(_id);
  expect(one).toHaveLength(5);
  expect(await actions.get('x')).toEqual(found[0]);
});

if (process.env['SVC_TEST_MONGODB_URL'])
  it('reads back the deepest nesting that a server accepts, and is rejected beyond it', async () => {
    const { config, remove } = await openTestSite();
    later(remove);
    const connection = await connectMongo(config.database);
    later(() => connection.close());
    const { actions } = storeCollections(connection);
    const nested = (depth: number) =>
      JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as Record<string, unknown>;
    for (const depth of [100, 150, 178])
      await actions.insert({ _id: `d${depth}`, ref: `p.${depth}`, parameters: nested(depth) } as never);
    for (const depth of [200, 250, 500])
      await expect(actions.insert({ _id: `d${depth}`, parameters: nested(depth) } as never)).rejects.toMatchObject({
        code: 15,
      });
    expect((await actions.list()).map(({ _id }) => _id)).toEqual(['d100', 'd150', 'd178']);
    expect(await actions.get('d178')).toMatchObject({ parameters: nested(178) });
    expect(await actions.change({ _id: 'd178' }, { set: { description: 'x' } })).toMatchObject({ description: 'x' });
  });
