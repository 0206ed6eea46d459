import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a server that counts the calls on its connections. */
export interface WireCounter {
  readonly port: number;
  /** The number of each call since the last query. */
  take(): Map<string, number>;
  close(): void;
}

/** Finds the messages in one direction of a connection. */
interface Framing {
  /** Bytes before the first message. */
  readonly preface: number;
  /** The number of bytes from which the length of a message is known. */
  readonly header: number;
  readonly lengthOf: (header: Buffer) => number;
  /** The number of bytes from which a message can be named, if it is that long. */
  readonly shown: number;
  /** @returns the call, or undefined for messages that are not counted */
  readonly nameOf: (start: Buffer) => string | undefined;
}

const OP_MSG = 2013;
/** The type of a value in BSON. The length of a string is in front of it. */
const STRING = 2;
const LENGTH_BYTES = 4;
const NAME_AT = 26;
/** Enough for the longest command and the longest collection. */
const NAMES = 80;
/** Commands that the driver sends on its own. */
const NOT_COUNTED = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions', 'buildInfo']);

/** Commands to a server with the MongoDB protocol, such as `find executions`. A bulk write is one command. */
export const mongoCalls: Framing = {
  preface: 0,
  header: 4,
  lengthOf: (header) => header.readInt32LE(0),
  shown: NAME_AT + NAMES,
  nameOf(start) {
    if (start.readInt32LE(12) !== OP_MSG) return undefined;
    // After the flags comes a section of kind 0: a document whose first key is the command.
    const end = start.indexOf(0, NAME_AT);
    const name = start.toString('latin1', NAME_AT, end);
    if (NOT_COUNTED.has(name)) return undefined;
    // Its value is the collection, unless the command concerns the database.
    const value = end + 1 + LENGTH_BYTES;
    return start[NAME_AT - 1] === STRING ? `${name} ${start.toString('latin1', value, start.indexOf(0, value))}` : name;
  },
};

const AMQP_METHOD = 1;
const AMQP_BASIC = 60;
const BASIC_METHODS: Readonly<Record<number, string>> = { 40: 'publish', 60: 'deliver', 80: 'ack' };

const amqpMethods: Omit<Framing, 'preface'> = {
  header: 7,
  lengthOf: (header) => header.readUInt32BE(3) + 8,
  shown: 11,
  nameOf(start) {
    if (start[0] !== AMQP_METHOD || start.readUInt16BE(7) !== AMQP_BASIC) return undefined;
    return BASIC_METHODS[start.readUInt16BE(9)];
  },
};

/** Messages and acknowledgements that a service sends to the broker. */
export const amqpFromClient: Framing = { ...amqpMethods, preface: 8 };

/** Messages that it receives, and the broker's confirms. */
export const amqpFromServer: Framing = {
  ...amqpMethods,
  preface: 0,
  nameOf(start) {
    const name = amqpMethods.nameOf(start);
    return name === 'ack' ? 'confirm' : name;
  },
};

/** Counts calls on the way to a server on this machine. @param fromServer for messages in the other direction, if they count */
export async function countWire(target: number, fromClient: Framing, fromServer?: Framing): Promise<WireCounter> {
  let counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    const pass = (from: Socket, to: Socket, see: ((chunk: Buffer) => void) | undefined) => {
      open.add(from);
      if (see) from.on('data', see);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from));
    };
    pass(client, upstream, messagesOf(fromClient, count));
    pass(upstream, client, fromServer && messagesOf(fromServer, count));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Follows the chunks of one direction. Only the start of each message is copied. */
export function messagesOf({ preface, header, lengthOf, shown, nameOf }: Framing, seen: (name: string) => void) {
  let skip = preface;
  let start = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length;) {
      const skipped = Math.min(skip, chunk.length - at);
      skip -= skipped;
      at += skipped;
      const needed = start.length < header ? header : Math.min(shown, lengthOf(start));
      const taken = chunk.subarray(at, at + needed - start.length);
      start = Buffer.concat([start, taken]);
      at += taken.length;
      if (start.length < header || start.length < Math.min(shown, lengthOf(start))) continue;
      const name = nameOf(start);
      if (name !== undefined) seen(name);
      skip = lengthOf(start) - start.length;
      start = Buffer.alloc(0);
    }
  };
}
