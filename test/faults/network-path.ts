import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A proxy to a server of this machine that can behave like a bad network. */
export interface NetworkPath {
  /** The address of the server with the port of the proxy. */
  readonly url: string;
  /** Closes every connection and accepts no new one for a while. */
  cut(forMs: number): Promise<void>;
  /** For a while nothing arrives at either side, not even the end of a connection. What was sent arrives afterwards. */
  silence(forMs: number): Promise<void>;
  /** Nothing arrives at either side until `speak`. */
  hush(): void;
  /** As `hush`, from when a client sends data with this text. That data is the first that does not arrive. */
  hushFrom(text: string): void;
  /** Closes the connections that were silent, and forwards those that come. */
  speak(): void;
  /** The existing connections stay open, but nothing arrives on them any more. New ones work. */
  abandon(): void;
  /** For a while everything arrives later. */
  delay(byMs: number, forMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Condition {
  isCut: boolean;
  delayMs: number;
  /** Resolved, except during a silence. */
  audible: Promise<unknown>;
  isSilent: boolean;
  /** Sees the data of clients before it is forwarded. */
  onClientData?: ((chunk: Buffer) => void) | undefined;
}

interface Connection {
  isAbandoned: boolean;
  readonly sockets: readonly Socket[];
}

export async function networkPath(serverUrl: string): Promise<NetworkPath> {
  const url = new URL(serverUrl);
  const target = Number(url.port);
  const connections = new Set<Connection>();
  const condition: Condition = { isCut: false, delayMs: 0, audible: Promise.resolve(), isSilent: false };
  const listener = createServer({ noDelay: true }, (near) => {
    if (condition.isCut) return void near.destroy();
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
    const connection: Connection = { isAbandoned: false, sockets: [near, far] };
    connections.add(connection);
    near.on('data', (chunk: Buffer) => condition.onClientData?.(chunk));
    forward(near, far, connection, condition);
    forward(far, near, connection, condition);
    far.on('close', () => connections.delete(connection));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  url.port = String((listener.address() as AddressInfo).port);
  let spoken: (value?: unknown) => void = () => undefined;
  const destroyAll = () => {
    for (const { sockets } of connections) for (const socket of sockets) socket.destroy();
  };
  const hush = () => {
    condition.isSilent = true;
    condition.audible = new Promise((resolve) => (spoken = resolve));
  };
  return {
    url: url.href,
    async cut(forMs) {
      condition.isCut = true;
      destroyAll();
      await wait(forMs);
      condition.isCut = false;
    },
    async silence(forMs) {
      condition.isSilent = true;
      condition.audible = wait(forMs);
      await condition.audible;
      condition.isSilent = false;
    },
    hush,
    hushFrom(text) {
      condition.onClientData = (chunk) => {
        if (!chunk.includes(text)) return;
        condition.onClientData = undefined;
        hush();
      };
    },
    speak() {
      for (const connection of connections) connection.isAbandoned = true;
      condition.isSilent = false;
      spoken();
      destroyAll();
    },
    abandon() {
      for (const connection of connections) connection.isAbandoned = true;
    },
    async delay(byMs, forMs) {
      condition.delayMs = byMs;
      await wait(forMs);
      condition.delayMs = 0;
    },
    async close() {
      destroyAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** Passes on data and the end of one direction, in order. */
function forward(from: Socket, to: Socket, connection: Connection, condition: Condition): void {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const inTurn = (act: () => void) => {
    const dueAt = performance.now() + condition.delayMs;
    waiting++;
    last = last
      .then(() => condition.audible)
      .then(() => wait(Math.max(0, dueAt - performance.now())))
      .then(() => {
        waiting--;
        if (!connection.isAbandoned) act();
      });
  };
  from.on('data', (chunk: Buffer) => {
    if (connection.isAbandoned) return;
    const pass = () => {
      if (to.destroyed || to.write(chunk)) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    if (waiting === 0 && condition.delayMs === 0 && !condition.isSilent) pass();
    else inTurn(pass);
  });
  // The event "close" follows.
  from.on('error', () => undefined);
  from.on('close', () => {
    if (waiting === 0 && condition.delayMs === 0 && !condition.isSilent && !connection.isAbandoned) to.destroy();
    else inTurn(() => to.destroy());
  });
}
