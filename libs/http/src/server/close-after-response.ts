import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MIB, SECOND_MS } from '@switchyard/base';

/** How long, and about how much, is still read from a client after the response to a request with a long body. */
const LINGER_MS = 2 * SECOND_MS;
const LINGER_BYTES = 64 * MIB;
const CHECK_MS = 50;

interface Refused {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Lets the connection end with the response if the rest of the body is long. Node.js would read and drop the rest, to reuse the connection,
 * however long it is. So a client without credentials could keep the process busy with endless bodies.
 */
export function closeUnlessShort({ request, response }: Refused, maxBodyBytes: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const announced = encoding === undefined ? Number(length ?? 0) : Infinity;
  if (request.complete || announced <= maxBodyBytes) return;
  response.setHeader('Connection', 'close');
  closeLate(request.socket);
}

/**
 * Closes a connection only when the client has read the response. If it is closed while the client is still sending, the
 * client's system reports an error and drops the response that has already arrived, so the client never learns the reason.
 */
function closeLate(socket: Socket): void {
  // Node.js calls this once the response is written.
  socket.destroySoon = () => {
    const start = Date.now();
    const startBytes = socket.bytesRead;
    const isOver = () => Date.now() - start > LINGER_MS || socket.bytesRead - startBytes > LINGER_BYTES;
    const timer = setInterval(() => isOver() && socket.destroy(), CHECK_MS);
    socket.once('close', () => clearInterval(timer));
    // The client sees the end of the response, and closes its side.
    socket.end();
  };
}
