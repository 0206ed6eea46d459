import { createServer, connect as connectTcp, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { connectBus, connectRabbit, type BrokerConnection, type Bus } from '@switchyard/messaging';
import { busContract, gathered, type BusHarness } from '@switchyard/testkit';
import { openTestSite } from '@switchyard/testkit/platform';
import { gatheringLogger, QUICK } from './gathering-logger';

/** A proxy to a server whose connections can be cut. */
async function cuttable(target: URL) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectTcp(Number(target.port || 5672), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  [url.hostname, url.port] = ['127.0.0.1', String((server.address() as AddressInfo).port)];
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async (): Promise<void> => {
    cut();
    server.close();
    await once(server, 'close');
  };
  return { url: url.href, cut, close };
}

const open = (server: string) => async (): Promise<BusHarness> => {
  const cable = await cuttable(new URL(server));
  const site = await openTestSite();
  const { prefix } = site.config.messaging;
  const log = gathered<string>();
  const buses: Bus[] = [];
  const raws: BrokerConnection[] = [];
  return {
    prefix,
    log,
    connect: async () => {
      const bus = await connectBus({ urls: cable.url, prefix, logger: gatheringLogger(log), ...QUICK });
      buses.push(bus);
      return bus;
    },
    raw: async () => {
      const connection = await connectRabbit(server);
      raws.push(connection);
      return connection;
    },
    dropConnections: cable.cut,
    close: async () => {
      await Promise.all(buses.map((bus) => bus.close()));
      await Promise.all(raws.map((raw) => raw.close()));
      await cable.close();
      await site.remove();
    },
  };
};

const server = process.env['SVC_TEST_AMQP_URL'];
if (server) {
  busContract('RabbitMQ', open(server));
} else if (process.env['CI'] === 'true' && process.env['SVC_TEST_SERVERS'] === 'required') {
  it('needs SVC_TEST_AMQP_URL', () => {
    throw new Error('SVC_TEST_SERVERS=required, but SVC_TEST_AMQP_URL names no RabbitMQ server');
  });
} else {
  process.stdout.write('Skipped: the bus on RabbitMQ (SVC_TEST_AMQP_URL is not set).\n');
  it.skip('the bus on RabbitMQ', () => undefined);
}
