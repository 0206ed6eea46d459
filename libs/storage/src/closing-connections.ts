import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { mongo } from 'mongoose';

/** The part of the driver's connection that is needed here. */
interface DriverConnection {
  readonly socket: EventEmitter;
  /** Why it was closed. */
  readonly error: Error | null;
}

type WriteCommand = (this: DriverConnection, ...given: unknown[]) => Promise<void>;

let isMended = false;

/**
 * Makes commands fail on connections that are closing, with an error that shows that the connection is lost. The driver then
 * repeats the command on another one. The driver (7.8) lacks both:
 *
 * 1. The server may have ended a connection without the driver having noticed yet. A command that is written to it in the same
 *    turn of the event loop is lost without an error, and the driver waits forever for the socket to drain, and so does the caller.
 * 2. If the socket fails during that wait, the driver throws the error of the socket, such as EPIPE, and not its own for a lost
 *    connection.
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
      const fail = () => reject(this.error ?? new mongo.MongoNetworkError('The connection was closed.'));
      this.socket.once('close', fail);
      writeCommand
        .apply(this, given)
        .catch((error: unknown) => {
          throw isOfSocket(error) ? lostConnection(error) : error;
        })
        .then(resolve, reject)
        .finally(() => this.socket.off('close', fail));
    });
  };
}

/** An error of Node.js, which has a code such as `EPIPE` or `ERR_STREAM_DESTROYED`. */
const isOfSocket = (error: unknown): error is Error =>
  types.isNativeError(error) &&
  !(error instanceof mongo.MongoError) &&
  typeof (error as NodeJS.ErrnoException).code === 'string';

const lostConnection = (cause: Error): Error => new mongo.MongoNetworkError(cause.message, { cause });
