import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { connectBus, type LoginMethod } from '@switchyard/messaging';
import { gathered } from '@switchyard/testkit';
import { gatheringLogger, QUICK } from './gathering-logger';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const longText = (text: string): Buffer => Buffer.concat([uint32(text.length), Buffer.from(text)]);

/** The first frame of a broker in AMQP 0-9-1: `connection.start`, without properties. */
function start(): Buffer {
  const versionAndProperties = [Buffer.of(0, 9), uint32(0)];
  const method = Buffer.concat([
    Buffer.of(0, 10, 0, 10),
    ...versionAndProperties,
    longText('PLAIN AMQPLAIN EXTERNAL'),
    longText('en_US'),
  ]);
  return Buffer.concat([Buffer.of(1, 0, 0), uint32(method.length), method, Buffer.of(0xce)]);
}

/** Greets a client like a broker. @returns the client's answer */
async function answerOf(credentials: string, login?: LoginMethod): Promise<string> {
  const answers = gathered<string>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(start());
      socket.once('data', (answer: Buffer) => {
        answers.add(answer.toString('latin1'));
        socket.destroy();
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connecting = connectBus({
    urls: `amqp://${credentials}127.0.0.1:${port}/`,
    prefix: 'svc',
    logger: gatheringLogger(gathered()),
    firstTries: 1,
    ...QUICK,
    ...(login ? { login } : {}),
  });
  await expect(connecting).rejects.toMatchObject({ code: 'messaging.unavailable' });
  server.close();
  await once(server, 'close');
  return answers.items[0]!;
}

/** A mechanism and its response as they are in the frame. */
const said = (mechanism: string, response: string): string =>
  `${String.fromCharCode(mechanism.length)}${mechanism}${longText(response).toString('latin1')}`;

describe('connectBus', () => {
  it.each<[string, string, LoginMethod | undefined, string]>([
    ['PLAIN by default', 'ada:w%40rd@', undefined, said('PLAIN', '\0ada\0w@rd')],
    ['PLAIN', 'ada:w%40rd@', 'PLAIN', said('PLAIN', '\0ada\0w@rd')],
    ['PLAIN as guest if the address has no user name', '', 'PLAIN', said('PLAIN', '\0guest\0guest')],
    ['AMQPLAIN', 'ada:w%40rd@', 'AMQPLAIN', said('AMQPLAIN', '\x05LOGINS\0\0\0\x03ada\x08PASSWORDS\0\0\0\x04w@rd')],
    ['EXTERNAL, with no name and password', 'ada:w%40rd@', 'EXTERNAL', said('EXTERNAL', '')],
  ])('logs in with %s', async (_, credentials, login, expected) => {
    const answer = await answerOf(credentials, login);
    expect(answer).toContain(expected);
  });
});
