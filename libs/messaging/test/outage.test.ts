import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import {
  connectBus,
  embeddedBroker,
  embeddedBus,
  executionStatus,
  type BrokerConnection,
  type ExecutionStatusMessage,
} from '@switchyard/messaging';
import { gathered } from '@switchyard/testkit';
import { gatheringLogger, QUICK } from './gathering-logger';

const message = () => executionStatus({ id: 'a1', ref: 'core.local', status: 'scheduled', revision: 1 });

/** A broker that can be unavailable: attempts to connect fail, and connections are lost. */
function moodyBroker() {
  const broker = embeddedBroker();
  const [tries, open] = [gathered<boolean>(), new Set<BrokerConnection>()];
  let away = false;
  const connect = async () => {
    tries.add(!away);
    if (away) throw new Error('nobody home');
    const connection = await broker.connect();
    open.add(connection);
    return connection;
  };
  const leave = (): void => {
    away = true;
    for (const connection of open) void connection.close();
  };
  return { broker: { connect }, tries, leave, comeBack: () => (away = false) };
}

/** A broker that refuses so many messages on its first connection. */
function refusingBroker(refusals: number) {
  const broker = embeddedBroker();
  let connections = 0;
  let left = refusals;
  const connect = async (): Promise<BrokerConnection> => {
    const connection = await broker.connect();
    if (++connections > 1) return connection;
    const open = connection.createConfirmChannel.bind(connection);
    const createConfirmChannel = async () => {
      const channel = await open();
      const accept = channel.publish.bind(channel);
      const publish: typeof channel.publish = (...given) => {
        if (left-- <= 0) return accept(...given);
        setImmediate(() => given[4]?.(new Error('message nacked'), undefined as never));
        return true;
      };
      return Object.assign(channel, { publish });
    };
    return Object.assign(connection, { createConfirmChannel, drop: () => void connection.close() });
  };
  return { connect, connections: () => connections };
}

describe('without a broker', () => {
  it('the bus closes if the broker does not answer before the connection is lost', async () => {
    const silent = <T extends { close(): Promise<void> }>(it: T): T => {
      const close = it.close.bind(it);
      return Object.assign(it, { close: () => close().then(() => new Promise<void>(() => undefined)) });
    };
    const broker = embeddedBroker();
    const connect = async () => {
      const connection = await broker.connect();
      const open = connection.createChannel.bind(connection);
      return silent(Object.assign(connection, { createChannel: () => open().then(silent) }));
    };
    const bus = embeddedBus({ prefix: 'svc', logger: gatheringLogger(gathered()), broker: { connect }, ...QUICK });
    const consumer = await bus.consume('actionrunner.req', { prefetch: 1, name: 'test' }, async () => undefined);
    await consumer.stop();
    await bus.close();
  });

  it('a consumer that is stopped no longer waits for the broker', async () => {
    const { broker, comeBack, leave } = moodyBroker();
    const bus = embeddedBus({ prefix: 'svc', logger: gatheringLogger(gathered()), broker, ...QUICK });
    await bus.publisher().publish(message());
    leave();
    const stop = new AbortController();
    const options = { prefetch: 1, name: 'test', signal: stop.signal };
    const taken = gathered<ExecutionStatusMessage>();
    const consume = () => bus.consume('actionrunner.req', options, async (m) => taken.add(m));
    const begun = consume();
    stop.abort();
    await (await begun).stop();
    await (await consume()).stop();
    comeBack();
    await bus.publisher().publish(message());
    expect(taken.items).toEqual([]);
    await bus.close();
  });

  it('connectBus gives up after its attempts, and shows no credentials', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const log = gathered<string>();
    const urls = [`amqp://user:secret@127.0.0.1:${port}//`, `amqp://user:secret@127.0.0.1:${port}/x`];
    const connecting = connectBus({ urls, prefix: 'svc', logger: gatheringLogger(log), firstTries: 3, ...QUICK });
    await expect(connecting).rejects.toMatchObject({ code: 'messaging.unavailable', status: 503 });
    expect(log.items.filter((line) => line.includes('No connection'))).toHaveLength(3);
    expect(log.items.join()).not.toContain('secret');
    server.close();
  });

  it('connectBus begins with any of the addresses, so that connections spread over the nodes of a cluster', async () => {
    const counts = [0, 0, 0];
    const servers = counts.map((_, index) =>
      createServer((socket) => {
        counts[index]! += 1;
        socket.destroy();
      }).listen(0, '127.0.0.1'),
    );
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const urls = servers.map((server) => `amqp://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const attempt = () =>
      connectBus({ urls, prefix: 'svc', logger: gatheringLogger(gathered()), firstTries: 1, ...QUICK });
    // One of the three gets none of them with a probability of 1 in 10 ** 10.
    await Promise.allSettled(Array.from({ length: 60 }, attempt));
    expect(counts.every((count) => count > 0)).toBe(true);
    // An unsuccessful attempt goes on with the next one, so three attempts ask each of them.
    counts.fill(0);
    await Promise.allSettled([
      connectBus({ urls, prefix: 'svc', logger: gatheringLogger(gathered()), firstTries: 3, ...QUICK }),
    ]);
    expect(counts).toEqual([1, 1, 1]);
    for (const server of servers) server.close();
  });

  it('connectBus follows the options for the number of attempts and the longest pause', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const log = gathered<string>();
    const options = { urls: `amqp://127.0.0.1:${port}/`, prefix: 'svc', logger: gatheringLogger(log) };
    await expect(connectBus({ ...options, firstTries: 5, longestPauseMs: 7 })).rejects.toThrow();
    const pauses = log.items.map((line) => Number(/"waitMs":([\d.]+)/.exec(line)?.[1]));
    expect(pauses).toHaveLength(5);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(7);
    server.close();
  });

  it.each([
    ['all the time is sent on a new connection', Infinity, 2],
    ['once is sent again on the same connection', 1, 1],
  ])('a publish that the broker refuses %s', async (_, refusals, expected) => {
    const { connect, connections } = refusingBroker(refusals);
    const bus = embeddedBus({ prefix: 'svc', logger: gatheringLogger(gathered()), broker: { connect }, ...QUICK });
    const seen = gathered<string>();
    await bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async ({ id }) => seen.add(id));
    await bus.publisher().publish(message());
    await seen.until(1);
    expect(connections()).toBe(expected);
    await bus.close();
  });

  it('a publish waits until the broker is back', async () => {
    const { broker, tries, leave, comeBack } = moodyBroker();
    const bus = embeddedBus({ prefix: 'svc', logger: gatheringLogger(gathered()), broker, ...QUICK });
    const seen = gathered<string>();
    await bus.consume('actionrunner.work', { prefetch: 1, name: 'test' }, async ({ id }) => seen.add(id));
    leave();
    await tries.until((all) => all.filter((worked) => !worked).length >= 3);
    expect(bus.ready()).toBe(false);
    const published = bus.publisher().publish(message());
    comeBack();
    await published;
    await seen.until(1);
    expect(bus.ready()).toBe(true);
    await bus.close();
  });

  it('a publish fails if the broker stays unavailable', async () => {
    const { broker, tries, leave } = moodyBroker();
    const logger = gatheringLogger(gathered());
    const bus = embeddedBus({ prefix: 'svc', logger, broker, publishTimeoutMs: 20, ...QUICK });
    await bus.publisher().publish(message());
    leave();
    await tries.until(2);
    await expect(bus.publisher().publish(message())).rejects.toMatchObject({ code: 'messaging.unavailable' });
    await bus.close();
  });

  it('close ends everything at once', async () => {
    const { broker, tries, leave } = moodyBroker();
    const bus = embeddedBus({ prefix: 'svc', logger: gatheringLogger(gathered()), broker, ...QUICK });
    const take = { prefetch: 1, name: 'test' };
    const consumer = await bus.consume('actionrunner.work', take, async () => undefined);
    leave();
    await tries.until(2);
    await consumer.stop();
    await bus.close();
    await expect(bus.consume('actionrunner.work', take, async () => undefined)).rejects.toMatchObject({
      code: 'messaging.closed',
    });
  });
});
