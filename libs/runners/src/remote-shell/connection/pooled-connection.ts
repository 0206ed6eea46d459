import { deferred, SECOND_MS } from '@switchyard/base';
import type { Client } from 'ssh2';

/** Servers usually allow ten sessions on a connection. */
const MOST_CHANNELS = 8;

/**
 * A connection shared by several runs. It closes after being idle, on `close`, or when the server closes it; then it has no
 * room.
 */
export class PooledConnection {
  /** Rejects when connecting fails. */
  readonly client: Promise<Client>;
  readonly #closed = deferred();
  readonly #keepMs: number;
  #leases = 0;
  #mostLeases = MOST_CHANNELS;
  #isClosed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(client: Promise<Client>, keepMs: number) {
    this.#keepMs = keepMs;
    this.client = client;
    client.then(
      (opened) => {
        opened.once('close', () => this.#end());
        if (this.#isClosed) hangUp(opened);
      },
      () => this.#end(),
    );
  }

  /** Settles when the connection is closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get hasRoom(): boolean {
    return !this.#isClosed && this.#leases < this.#mostLeases;
  }

  lease(): void {
    this.#leases++;
    clearTimeout(this.#idle);
  }

  release(): void {
    this.#leases--;
    if (this.#leases > 0 || this.#isClosed) return;
    this.#idle = setTimeout(() => this.close(), this.#keepMs);
    this.#idle.unref();
  }

  /** Lowers the channel limit of this connection. @returns whether others use it, so that a new connection may help */
  reduce(): boolean {
    const others = this.#leases - 1;
    if (others < 1) return false;
    this.#mostLeases = Math.min(this.#mostLeases, others);
    return true;
  }

  close(): void {
    this.#end();
    this.client.then(hangUp, () => undefined);
  }

  #end(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#closed.resolve();
  }
}

/** Closes gracefully, then forcibly, because a dead host never answers. */
function hangUp(client: Client): void {
  const timer = setTimeout(() => client.destroy(), SECOND_MS);
  timer.unref();
  client.once('close', () => clearTimeout(timer));
  client.end();
}
