import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyShare, OpenBodies } from '../request/open-bodies';
import type { CorsRequest } from '../response/cors';

/** One request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly isHead: boolean;
  readonly startedMs: number;
  readonly body: BodyShare;
  /** Aborted when the client disconnects before the response. */
  readonly signal: AbortSignal;
}

/** A request id that a client may choose: printable characters, of limited length. */
const OWN_ID = /^[\x21-\x7e]{1,128}$/;

interface Opening {
  readonly cors: (request: CorsRequest) => Record<string, string>;
  readonly bodies: OpenBodies;
}

/** Sets the headers that all responses have. */
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

/** Headers of all responses, which routes may replace. Responses are data, so they must not be framed, cached or sniffed. */
const securityHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
