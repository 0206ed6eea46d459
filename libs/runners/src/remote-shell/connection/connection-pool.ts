import type { Duplex } from 'node:stream';
import { fault, messageOf } from '@switchyard/base';
import type { Client } from 'ssh2';
import { targetKey, type SshTarget } from '../target/ssh-target';
import { dial, type DialOptions, type Warn, reasonOf } from './dial';
import { PooledConnection } from './pooled-connection';

export interface PoolOptions extends DialOptions {
  /** How long to keep an unused connection. */
  readonly keepMs: number;
}

/** Something opened on a connection. Release it when done. */
export interface Opened<T> {
  readonly value: T;
  release(): void;
  /** Closes the whole connection, because its state is unknown. */
  discard(): void;
}

const ATTEMPTS = 4;

/**
 * Connections shared by runs with the same host, user, credentials and route. Each carries several channels; further
 * connections are opened when those are busy. Unused connections are kept for a while.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #connections = new Map<string, Set<PooledConnection>>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Opens something on a connection to a target. `open` must not have changed anything on the host when it rejects, because
   * it is retried on another connection if the first one is broken or full.
   * @param warn receives warnings while connecting
   * @throws Fault `ssh.connect`, `ssh.channel`, `ssh.key`, `ssh.host-key-…`
   */
  async open<T>(target: SshTarget, warn: Warn, open: (client: Client) => Promise<T>): Promise<Opened<T>> {
    for (let attempt = 1; ; attempt++) {
      const connection = this.#lease(target, warn);
      let client: Client | undefined;
      try {
        client = await connection.client;
        const value = await open(client);
        return { value, release: () => connection.release(), discard: () => connection.close() };
      } catch (thrown) {
        const mayRetry = client !== undefined && this.#makeRoom(connection, thrown);
        connection.release();
        if (client === undefined) throw thrown;
        if (!mayRetry || attempt === ATTEMPTS) {
          const { host, port } = target;
          throw fault('ssh.channel', { host, port, reason: reasonOf(thrown) }, { cause: thrown });
        }
      }
    }
  }

  /** Closes all connections. The pool remains usable. */
  async close(): Promise<void> {
    const all = [...this.#connections.values()].flatMap((connections) => [...connections]);
    await Promise.all(all.map(async (connection) => connection.close()));
  }

  #lease(target: SshTarget, warn: Warn): PooledConnection {
    const key = targetKey(target);
    const connections = this.#connections.get(key) ?? new Set();
    this.#connections.set(key, connections);
    const free = [...connections].find((connection) => connection.hasRoom);
    const connection = free ?? new PooledConnection(this.#connect(target, warn), this.#options.keepMs);
    connection.lease();
    if (free === undefined) {
      connections.add(connection);
      void connection.closed.then(() => {
        connections.delete(connection);
        if (connections.size === 0 && this.#connections.get(key) === connections) this.#connections.delete(key);
      });
    }
    return connection;
  }

  async #connect(target: SshTarget, warn: Warn): Promise<Client> {
    const { via, host, port } = target;
    if (via === undefined) return dial(target, this.#options, warn);
    return dial(target, this.#options, warn, () => this.#forward(via, host, port, warn));
  }

  async #forward(via: SshTarget, host: string, port: number, warn: Warn): Promise<Duplex> {
    const { value, release } = await this.open(via, warn, (client) => forwarded(client, host, port));
    value.once('close', release);
    return value;
  }

  /** @returns whether another connection may succeed */
  #makeRoom(connection: PooledConnection, thrown: unknown): boolean {
    if (thrown instanceof ForwardRefused) return false;
    if (typeof (thrown as { reason?: unknown }).reason === 'number') return connection.reduce();
    // The server answered, and another connection would get the same answer.
    if (messageOf(thrown).startsWith('Unable to ')) return false;
    connection.close();
    return true;
  }
}

/** The jump host works, but cannot reach the target. */
class ForwardRefused extends Error {}

const forwarded = (client: Client, host: string, port: number): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, host, port, (error, channel) =>
      error === undefined ? resolve(channel) : reject(refused(error)),
    );
  });

const refused = (error: Error & { reason?: unknown }): Error =>
  typeof error.reason === 'number' ? new ForwardRefused(error.message) : error;
