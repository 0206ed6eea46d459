import { connect, type Socket } from 'node:net';

const ANSWER_MS = 15_000;

/** A raw TCP connection, which sends exactly what is written. */
export interface RawConnection {
  readonly socket: Socket;
  write(data: string | Buffer): void;
  /** Everything received until the other side closes or is silent for a while. */
  received(quietMs?: number): Promise<string>;
  close(): void;
}

/** @param address such as `http://127.0.0.1:9101` */
export function openRaw(address: string): RawConnection {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let text = '';
  let closed = false;
  let heard = performance.now();
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    heard = performance.now();
  });
  socket.on('error', () => (closed = true));
  socket.on('close', () => (closed = true));
  return {
    socket,
    write: (data) => void socket.write(data),
    received: (quietMs = 1000) =>
      new Promise((resolve) => {
        const deadline = performance.now() + ANSWER_MS;
        const look = setInterval(() => {
          const now = performance.now();
          const isQuiet = text !== '' && now - heard > quietMs;
          if (!closed && !isQuiet && now < deadline) return;
          clearInterval(look);
          resolve(text);
        }, 20);
      }),
    close: () => socket.destroy(),
  };
}

/** The status of each response received over one connection. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
