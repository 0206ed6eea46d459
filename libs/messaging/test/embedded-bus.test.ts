import { randomHex } from '@switchyard/base';
import { embeddedBroker, embeddedBus, workflowStatus, type BrokerConnection, type Bus } from '@switchyard/messaging';
import { busContract, gathered, type BusHarness } from '@switchyard/testkit';
import { gatheringLogger, QUICK } from './gathering-logger';

async function open(): Promise<BusHarness> {
  const broker = embeddedBroker();
  const prefix = `t${randomHex(8)}`;
  const log = gathered<string>();
  const buses: Bus[] = [];
  const connections: BrokerConnection[] = [];
  const connect = async () => {
    const connection = await broker.connect();
    connections.push(connection);
    return connection;
  };
  return {
    prefix,
    log,
    connect: async () => {
      const bus = embeddedBus({ prefix, logger: gatheringLogger(log), broker: { connect }, ...QUICK });
      buses.push(bus);
      return bus;
    },
    raw: broker.connect,
    dropConnections: () => {
      for (const connection of connections.splice(0)) void connection.close();
    },
    close: async () => {
      await Promise.all(buses.map((bus) => bus.close()));
    },
  };
}

busContract('the embedded broker', open);

it('delivers many waiting messages in several turns of the event loop', async () => {
  const bus = embeddedBus({ prefix: `t${randomHex(8)}`, logger: gatheringLogger(gathered<string>()), ...QUICK });
  const MESSAGES = 150;
  const consumer = await bus.consume('workflow.cancel', { prefetch: MESSAGES, name: 'tests' }, () => Promise.resolve());
  await consumer.pause();
  const message = (id: string) => workflowStatus({ id, ref: 'tests.a', status: 'canceling', revision: 1, trace: null });
  await bus.publisher().publishAll(Array.from({ length: MESSAGES }, () => message(randomHex(24))));
  const arrived = gathered<string>();
  let inTurn = 0;
  let most = 0;
  let next = setImmediate(forget);
  function forget() {
    inTurn = 0;
    next = setImmediate(forget);
  }
  const second = await bus.consume('workflow.cancel', { prefetch: MESSAGES, name: 'tests' }, async ({ id }) => {
    most = Math.max(most, ++inTurn);
    arrived.add(id);
  });
  await arrived.until((all) => all.length === MESSAGES);
  clearImmediate(next);
  expect(most).toBeLessThan(MESSAGES / 2);
  await Promise.all([consumer.stop(), second.stop()]);
  await bus.close();
});
