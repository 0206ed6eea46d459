import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a server that can cut all connections at once, or forward nothing, like a network failure. */
export interface CutPath {
  /** The address of the server with the port of the proxy. */
  readonly url: string;
  /** Closes every connection and accepts no new one for a while. */
  cut(forMs: number): Promise<void>;
  /** Keeps every connection and accepts new ones, but forwards nothing more. */
  hush(): void;
  /** Closes the connections that were silent, and forwards those that come. */
  speak(): void;
  close(): Promise<void>;
}

export async function cutPath(serverUrl: string): Promise<CutPath> {
  const target = Number(new URL(serverUrl).port);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  const listener = createServer((near) => {
    if (isCut) return void near.destroy();
    if (isSilent) return void keepSilent(near);
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(serverUrl);
  url.port = String((listener.address() as AddressInfo).port);
  const keepSilent = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.pause();
  };
  const destroyAll = () => {
    for (const socket of [...sockets]) socket.destroy();
  };
  return {
    url: url.href,
    async cut(forMs) {
      isCut = true;
      destroyAll();
      await new Promise((resolve) => setTimeout(resolve, forMs));
      isCut = false;
    },
    hush() {
      isSilent = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    speak() {
      isSilent = false;
      destroyAll();
    },
    async close() {
      destroyAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
