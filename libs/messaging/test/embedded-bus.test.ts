import { randomHex } from '@switchyard/base';
import { embeddedBroker, embeddedBus, type BrokerConnection, type Bus } from '@switchyard/messaging';
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
