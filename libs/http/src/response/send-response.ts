import type { ServerResponse } from 'node:http';
import type { RouteResponse } from '../routing/route';
import { responseJson } from './response-json';

/** Writes an answer in one piece. Nothing has been sent when it throws. Headers of the exchange are on `response` already; those of the route replace them. */
export function sendResponse(
  response: ServerResponse,
  { status, body, text, bytes, headers }: RouteResponse,
  isHead: boolean,
  onUnreadable: (reason: string) => void,
): number {
  const [payload, type] = payloadOf({ body, text, bytes }, onUnreadable);
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.statusCode = status;
  if (payload === undefined) {
    // 204 and 304 have no body by definition, and must not announce a length.
    if (status !== 204 && status !== 304) response.setHeader('Content-Length', 0);
    response.end();
    return 0;
  }
  if (!response.hasHeader('content-type')) response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', payload.length);
  response.end(isHead ? undefined : payload);
  return payload.length;
}

function payloadOf(
  { body, text, bytes }: { body: unknown; text: string | undefined; bytes: Uint8Array | undefined },
  onUnreadable: (reason: string) => void,
): [Uint8Array | undefined, string] {
  if (bytes) return [bytes, 'application/octet-stream'];
  if (text !== undefined) return [Buffer.from(text), 'text/plain; charset=UTF-8'];
  return [body === undefined ? undefined : Buffer.from(responseJson(body, onUnreadable)), 'application/json'];
}
