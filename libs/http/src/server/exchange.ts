import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyShare, OpenBodies } from '../request/open-bodies';
import { securityHeaders } from '../response/security-headers';
import type { CorsRequest } from '../response/cors';

/** One request and its answer, from the first byte of the one to the last of the other. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly isHead: boolean;
  readonly startedMs: number;
  readonly body: BodyShare;
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal;
}

/** What a client may send as its own request id: anything printable of a sensible length. */
const OWN_ID = /^[\x21-\x7e]{1,128}$/;

interface Opening {
  readonly cors: (request: CorsRequest) => Record<string, string>;
  readonly bodies: OpenBodies;
}

/** Gives the answer the headers that every answer has. */
export function openExchange(request: IncomingMessage, response: ServerResponse, { cors, bodies }: Opening): Exchange {
  const { origin, 'access-control-request-headers': asked, 'x-request-id': own } = request.headers;
  const requestId = typeof own === 'string' && OWN_ID.test(own) ? own : randomUUID();
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  for (const [name, value] of Object.entries(cors({ origin, asked }))) response.setHeader(name, value);
  response.setHeader('X-Request-ID', requestId);
  const abort = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) abort.abort();
  });
  const isHead = request.method === 'HEAD';
  const body = bodies.open(request.socket.remoteAddress ?? '');
  return { request, response, requestId, isHead, startedMs: performance.now(), signal: abort.signal, body };
}
