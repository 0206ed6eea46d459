import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { leakCheck, openTestSite } from '@switchyard/testkit/platform';
import { connectMongo, isUnreachable } from '../../src';

const url = process.env['SVC_TEST_MONGODB_URL'];

interface Path {
  readonly port: number;
  /** Closes all connections gracefully, like a stopping server. */
  end(): void;
  /** Resets all connections, as for a process that was killed. */
  reset(): void;
  /** The existing connections stay open, but nothing arrives on them any more. */
  silence(): void;
}

/** A proxy. */
async function startPath(later: (release: () => unknown) => void): Promise<Path> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const { hostname, port } = new URL(url!);
    const upstream = connect(Number(port || 27017), hostname);
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
  later(() => clients.forEach((client) => client.destroy()));
  return {
    port: (server.address() as AddressInfo).port,
    end: () => clients.forEach((client) => client.end()),
    reset: () => clients.forEach((client) => client.resetAndDestroy()),
    silence: () => clients.forEach((client) => client.unpipe().resume()),
  };
}

if (url) {
  const later = leakCheck();

  it('commands on connections that the server is closing do not hang, and show that the store is away', async () => {
    const site = await openTestSite();
    later(() => site.remove());
    const path = await startPath(later);
    const near = new URL(url);
    near.host = `127.0.0.1:${path.port}`;
    near.searchParams.set('directConnection', 'true');
    const host = near.href;
    const connection = await connectMongo({ ...site.config.database, host });
    later(() => connection.close());
    const records = connection.collection<{ _id: string }>('records');
    await records.insertOne({ _id: 'one' });
    const commands: Promise<unknown>[] = [];
    // More than the buffer of a socket, so that the driver waits for it to drain.
    const large = 'x'.repeat(200_000);
    for (let round = 0; round < 20; round++) {
      // Opens several connections, so that each round uses another one.
      await Promise.allSettled(Array.from({ length: 10 }, () => records.findOne({ _id: 'one' })));
      if (round % 2 === 0) path.end();
      else path.reset();
      for (let turn = 0; turn < 10; turn++) {
        await new Promise(setImmediate);
        const update = { $inc: { count: 1 }, $set: { text: turn % 2 === 0 ? large : '' } };
        commands.push(records.findOne({ _id: 'one' }), records.updateOne({ _id: 'one' }, update));
        for (const command of commands.slice(-2)) command.catch(() => undefined);
      }
      await Promise.allSettled(commands);
    }
    const ends = await Promise.allSettled(commands);
    const others = ends.flatMap((end) => (end.status === 'rejected' && !isUnreachable(end.reason) ? [end.reason] : []));
    expect(ends).toHaveLength(400);
    expect(others).toEqual([]);
  });

  /** The driver's own settings would make it 40 s. */
  const GIVEN_UP_MS = 30_000;

  it(
    'commands on connections that have gone silent are repeated on others',
    async () => {
      const site = await openTestSite();
      later(() => site.remove());
      const path = await startPath(later);
      const host = `mongodb://127.0.0.1:${path.port}/?directConnection=true`;
      const connection = await connectMongo({ ...site.config.database, host });
      later(() => connection.close());
      const records = connection.collection<{ _id: string; count: number }>('records');
      await records.insertOne({ _id: 'one', count: 0 });
      path.silence();
      expect(await records.findOne({ _id: 'one' })).toEqual({ _id: 'one', count: 0 });
    },
    GIVEN_UP_MS,
  );
} else {
  it.skip('the store on a MongoDB server', () => undefined);
}
