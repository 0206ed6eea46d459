import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describeBroker, describeStore, readNamedServers } from './named-servers';

const MONGO = 'mongodb://127.0.0.1:1/?directConnection=true';
const AMQP = 'amqp://guest:guest@127.0.0.1:1';

describe('the servers that verify:servers gets', () => {
  it('are one MongoDB and one RabbitMQ, in any order', () => {
    const both = { mongoUrl: MONGO, amqpUrl: AMQP };
    expect([readNamedServers([MONGO, AMQP]), readNamedServers([AMQP, MONGO])]).toEqual([both, both]);
  });

  const expected = 'expected the address of a MongoDB server (mongodb://…) and that of a RabbitMQ server (amqp://…)';
  it.each([
    [[], `${expected}, got nothing.`],
    [[MONGO], `${expected}, got ${MONGO}.`],
    [[MONGO, AMQP, 'amqp://other'], `${expected}, got ${MONGO} amqp://********@127.0.0.1:1 amqp://other.`],
    [['localhost', AMQP], `${expected}, got localhost amqp://********@127.0.0.1:1.`],
    [
      [MONGO, 'amqps://user:pw@host'],
      'amqps://********@host: expected an address without TLS and SRV, because tests connect through proxies.',
    ],
  ])('are refused: %j', (given, message) => {
    expect(() => readNamedServers(given)).toThrow(new Error(message));
  });

  it('have to be reachable, and to speak their protocol', async () => {
    // Ends each connection when the client has said something.
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('220 hello\r\n'));
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const problem = (connecting: Promise<string>) =>
      connecting.then(
        () => 'nothing',
        ({ message }: Error) => message,
      );
    try {
      expect(await problem(describeStore(`mongodb://user:secret@127.0.0.1:${port}/?directConnection=true`))).toMatch(
        /^mongodb:\/\/\*+@\S+ cannot be used as MongoDB: ./,
      );
      expect(await problem(describeBroker(`amqp://user:secret@127.0.0.1:${port}`))).toMatch(
        /^amqp:\/\/\*+@\S+ cannot be used as RabbitMQ: ./,
      );
      expect(await problem(describeBroker(AMQP))).toMatch(/cannot be used as RabbitMQ: .*ECONNREFUSED/);
    } finally {
      other.close();
    }
  });
});
