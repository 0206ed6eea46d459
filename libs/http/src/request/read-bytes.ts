import type { IncomingMessage } from 'node:http';
import { fault } from '@switchyard/base';

/**
 * The whole body, chunked or not.
 * @throws Fault `request.body-too-large`, and before anything is read when the length is announced
 */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.reject(fault('request.body-too-large', { limit }));
  if (request.destroyed && !request.readableEnded) return Promise.reject(new ClientGone());
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const take = (part: Buffer) => {
      size += part.length;
      if (size > limit) {
        request.off('data', take);
        reject(fault('request.body-too-large', { limit }));
      } else parts.push(part);
    };
    request.on('data', take);
    request.on('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)));
    request.on('error', (error) => reject(new ClientGone(error)));
    request.on('close', () => reject(new ClientGone()));
  });
}

/** The client closed the connection before it had sent everything: nobody is left to be answered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
  constructor(cause?: unknown) {
    super('the client closed the connection', { cause });
  }
}
