import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { leakCheck, openTestSite } from '@switchyard/testkit/platform';
import { connectMongo } from '../../src';

const url = process.env['SVC_TEST_MONGODB_URL'];

/** A proxy. @returns its port, and a function that closes all connections gracefully, like a stopping server */
async function startPath(later: (release: () => unknown) => void): Promise<{ port: number; end(): void }> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url!).port), '127.0.0.1');
    clients.add(client);
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    client.on('close', () => clients.delete(client));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  later(() => server.close());
  return { port: (server.address() as AddressInfo).port, end: () => clients.forEach((client) => client.end()) };
}

if (url) {
  const later = leakCheck();

  it('commands on connections that the server is closing do not hang', async () => {
    const site = await openTestSite();
    later(() => site.remove());
    const path = await startPath(later);
    const host = `mongodb://127.0.0.1:${path.port}/?directConnection=true`;
    const connection = await connectMongo({ ...site.config.database, host });
    later(() => connection.close());
    const records = connection.collection<{ _id: string }>('records');
    await records.insertOne({ _id: 'one' });
    const commands: Promise<unknown>[] = [];
    for (let round = 0; round < 20; round++) {
      // Opens several connections, so that each round uses another one.
      await Promise.all(Array.from({ length: 10 }, () => records.findOne({ _id: 'one' })));
      path.end();
      for (let turn = 0; turn < 10; turn++) {
        await new Promise(setImmediate);
        commands.push(records.findOne({ _id: 'one' }), records.updateOne({ _id: 'one' }, { $inc: { count: 1 } }));
      }
      await Promise.allSettled(commands);
    }
    expect(commands).toHaveLength(400);
  });
} else {
  it.skip('the store on a MongoDB server', () => undefined);
}
