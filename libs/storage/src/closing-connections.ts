import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** The part of the driver's connection that is needed here. */
interface DriverConnection {
  readonly socket: EventEmitter;
  /** Why it was closed. */
  readonly error: Error | null;
}

type WriteCommand = (this: DriverConnection, ...given: unknown[]) => Promise<void>;

let isMended = false;

/**
 * Makes commands fail on connections that are closing. The server may have ended a connection without the driver having
 * noticed yet. A command that is written to it in the same turn of the event loop is lost without an error, and the
 * driver (7.8) waits forever for the socket to drain, and so does the caller. With the error, the driver repeats the
 * command on another connection.
 */
export function failOnClosingConnections(): void {
  if (isMended) return;
  isMended = true;
  const { Connection } = createRequire(require.resolve('mongoose'))('mongodb/lib/cmap/connection') as {
    Connection: { prototype: { writeCommand: WriteCommand } };
  };
  const { writeCommand } = Connection.prototype;
  Connection.prototype.writeCommand = function (...given) {
    return new Promise<void>((resolve, reject) => {
      const fail = () => reject(this.error ?? new Error('The connection was closed.'));
      this.socket.once('close', fail);
      writeCommand
        .apply(this, given)
        .then(resolve, reject)
        .finally(() => this.socket.off('close', fail));
    });
  };
}
