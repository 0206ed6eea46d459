import { amqpFromClient, amqpFromServer, messagesOf, mongoCalls } from './wire-counter';

/** A message of the MongoDB protocol with one document, such as `{ find: 'executions', … }`. */
function command(name: string, collection: string | undefined, size = 100): Buffer {
  const value = collection === undefined ? Buffer.alloc(8) : Buffer.from(`\0\0\0\0${collection}\0`);
  const message = Buffer.concat([Buffer.alloc(26), Buffer.from(`${name}\0`), value, Buffer.alloc(size)]);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(2013, 12);
  message[25] = collection === undefined ? 1 : 2;
  return message;
}

function frame(kind: number, method: number, size = 20): Buffer {
  const bytes = Buffer.alloc(8 + size);
  bytes[0] = kind;
  bytes.writeUInt32BE(size, 3);
  bytes.writeUInt16BE(60, 7);
  bytes.writeUInt16BE(method, 9);
  return bytes;
}

const heartbeat = Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xce]);

function seenIn(framing: typeof mongoCalls, bytes: Buffer, chunk: number): string[] {
  const seen: string[] = [];
  const see = messagesOf(framing, (name) => seen.push(name));
  for (let at = 0; at < bytes.length; at += chunk) see(bytes.subarray(at, at + chunk));
  return seen;
}

describe.each([1, 7, 64, 100_000])('in chunks of %d bytes', (chunk) => {
  it('commands are counted by name and collection, but not those of the driver itself', () => {
    const sent = [
      command('hello', undefined),
      command('find', 'actions', 5000),
      command('findAndModify', 'executions', 0),
      command('ping', undefined),
      command('commitTransaction', undefined),
    ];
    const counted = ['find actions', 'findAndModify executions', 'commitTransaction'];
    expect(seenIn(mongoCalls, Buffer.concat(sent), chunk)).toEqual(counted);
  });

  it('messages to the broker are counted after the preface of the connection', () => {
    // Bodies and heartbeats are not methods.
    const sent = [
      Buffer.from('AMQP\0\0\x09\x01'),
      frame(1, 40),
      frame(3, 40, 3000),
      heartbeat,
      frame(1, 80),
      frame(1, 40),
    ];
    expect(seenIn(amqpFromClient, Buffer.concat(sent), chunk)).toEqual(['publish', 'ack', 'publish']);
  });

  it('an acknowledgement of the broker is a confirm', () => {
    expect(seenIn(amqpFromServer, Buffer.concat([frame(1, 60), frame(1, 80)]), chunk)).toEqual(['deliver', 'confirm']);
  });
});
