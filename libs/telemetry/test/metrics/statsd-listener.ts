import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { gathered, type Gathered } from '@switchyard/testkit';

/** One line that a statsd server received. */
export interface StatsdLine {
  readonly name: string;
  readonly value: string;
  readonly kind: string;
  readonly rate: string | undefined;
}

export interface StatsdListener {
  readonly port: number;
  readonly lines: Gathered<StatsdLine>;
  close(): void;
}

const LINE = /^([\w.-]+):([+-]?[\d.]+)\|(c|ms|g)(?:\|@([\d.]+))?$/;

/** Listens like a statsd server. Lines that a statsd server would not accept have the kind `malformed`. */
export async function statsdListener(): Promise<StatsdListener> {
  const socket = createSocket('udp4');
  const lines = gathered<StatsdLine>();
  socket.on('message', (datagram) => {
    for (const text of datagram.toString().split('\n')) {
      const [, name = text, value = '', kind = 'malformed', rate] = LINE.exec(text) ?? [];
      lines.add({ name, value, kind, rate });
    }
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, lines, close: () => void socket.close() };
}
