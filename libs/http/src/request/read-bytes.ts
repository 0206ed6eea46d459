import type { IncomingMessage } from 'node:http';
import { fault } from '@switchyard/base';
import type { BodyShare } from './open-bodies';

/**
 * Reads the whole body, chunked or not.
 * @throws Fault `request.body-too-large` (before reading, if Content-Length says so), `request.too-many-bodies`
 */
export function readBytes(request: IncomingMessage, limit: number, share: BodyShare): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.reject(fault('request.body-too-large', { limit }));
  if (request.destroyed && !request.readableEnded) return Promise.reject(new ClientGone());
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const take = (part: Buffer) => {
      size += part.length;
      const refusal = size > limit ? fault('request.body-too-large', { limit }) : share.take(part.length);
      if (!refusal) return void parts.push(part);
      // Drops the parts received so far and the rest of the body.
      request.off('data', take);
      parts.length = 0;
      reject(refusal);
    };
    request.on('data', take);
    request.on('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)));
    request.on('error', (error) => reject(new ClientGone(error)));
    request.on('close', () => reject(new ClientGone()));
  });
}

/** The client closed the connection before it sent the whole body, so there is no one to respond to. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
  constructor(cause?: unknown) {
    super('the client closed the connection', { cause });
  }
}
