import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  catalogue,
  isFault,
  isLargeJson,
  isPlainObject,
  jsonBytes,
  KIB,
  messageOf,
  MIB,
  SECOND_MS,
} from '@switchyard/base';
import type { Cookie, RouteResponse } from '../routing/route';
import type { CookieSettings } from '../server/http-settings';
import { encodedBody } from './compression';

/**
 * Sends a response in one piece. A large one is serialized in slices, so that other requests are answered meanwhile. If it throws, nothing was sent. The headers of the route replace those that are already set.
 */
export async function sendResponse(
  response: ServerResponse,
  { status, body, text, bytes, headers }: RouteResponse,
  isHead: boolean,
  onUnreadable: (reason: string) => void,
): Promise<number> {
  const [payload, type] = await payloadOf({ body, text, bytes }, onUnreadable);
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.statusCode = status;
  if (payload === undefined) {
    // 204 and 304 have no body and must not announce a length.
    if (status !== 204 && status !== 304) response.setHeader('Content-Length', 0);
    response.end();
    return 0;
  }
  if (!response.hasHeader('content-type')) response.setHeader('Content-Type', type);
  const sent = isHead ? payload : await encodedBody(response, payload);
  response.setHeader('Content-Length', sent.length);
  response.end(isHead ? undefined : sent);
  return sent.length;
}

async function payloadOf(
  { body, text, bytes }: { body: unknown; text: string | undefined; bytes: Uint8Array | undefined },
  onUnreadable: (reason: string) => void,
): Promise<[Uint8Array | undefined, string]> {
  if (bytes) return [bytes, 'application/octet-stream'];
  if (text !== undefined) return [Buffer.from(text), 'text/plain; charset=UTF-8'];
  return [body === undefined ? undefined : await bodyBytes(body, onUnreadable), 'application/json'];
}

async function bodyBytes(body: unknown, onUnreadable: (reason: string) => void): Promise<Uint8Array> {
  if (!isLargeJson(body)) return Buffer.from(responseJson(body, onUnreadable));
  try {
    return await jsonBytes(body);
  } catch {
    // A part of it cannot be serialized.
    return Buffer.from(responseJson(body, onUnreadable));
  }
}

/**
 * The JSON of a response. A part that cannot be serialized, such as a record stored before there were limits on depth, is
 * replaced with a note, so that one bad record does not affect the others.
 */
export function responseJson(body: unknown, onUnreadable: (reason: string) => void): string {
  return textOf(body, onUnreadable, Array.isArray(body) ? 2 : 1);
}

/** @param levels how many levels down it searches for the part that cannot be serialized */
function textOf(value: unknown, onUnreadable: (reason: string) => void, levels: number): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (levels > 0 && Array.isArray(value)) {
      return `[${value.map((item) => textOf(item, onUnreadable, levels - 1)).join(',')}]`;
    }
    if (levels > 0 && isPlainObject(value)) return objectText(value, onUnreadable, levels - 1);
    const reason = error instanceof RangeError ? 'too large or nested too deeply' : messageOf(error);
    onUnreadable(reason);
    return JSON.stringify({ unreadable: reason });
  }
}

function objectText(value: Record<string, unknown>, onUnreadable: (reason: string) => void, levels: number): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${textOf(member, onUnreadable, levels)}`);
  return `{${members.join(',')}}`;
}

/** The response to a failure: the text of a fault, or, for internal errors, only that one occurred. */
export function faultResponse(thrown: unknown): RouteResponse {
  if (!isFault(thrown) || thrown.status === 500)
    return { status: 500, body: { faultstring: catalogue.internal.template } };
  const { status, extra, message } = thrown;
  const headers: Record<string, string> = {};
  if (typeof extra['retry_after'] === 'number') headers['Retry-After'] = String(extra['retry_after']);
  // The rest of the body is not read, so the connection cannot be reused.
  if (status === 413 || thrown.code === 'request.too-many-bodies') headers['Connection'] = 'close';
  return { status, headers, body: { ...extra, faultstring: shortened(message) } };
}

/** Messages may quote the input, which can be megabytes. */
const LONGEST_MESSAGE = 16 * KIB;

const shortened = (message: string): string =>
  message.length <= LONGEST_MESSAGE
    ? message
    : `${message.slice(0, LONGEST_MESSAGE)}… [${message.length} characters in total, truncated]`;

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

const METHODS = 'GET,POST,PUT,DELETE,OPTIONS';
const REQUEST_HEADERS = ['Content-Type', 'Authorization', 'X-Auth-Token', 'Svc-Api-Key', 'X-Request-ID'];
/** Also allowed, but only listed in the response to a browser that requests them. */
const FURTHER_REQUEST_HEADERS = [
  'Idempotency-Key',
  'Svc-Trace-Tag',
  'St2-Trace-Tag',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
];
const EXPOSED = 'Content-Type,X-Limit,X-Total-Count,X-Request-ID';

/** Always allowed besides the configured origins: the web console on a developer's machine. */
export const LOCAL_ORIGINS = ['http://127.0.0.1:3000', 'http://localhost:8080', 'http://127.0.0.1:8080'];

export interface CorsRequest {
  readonly origin: string | undefined;
  /** `Access-Control-Request-Headers` of a preflight. */
  readonly asked: string | undefined;
}

/** The CORS headers of all responses, including errors. @param allowed configured origins; `*` for any */
export function cors(allowed: readonly string[]): (request: CorsRequest) => Record<string, string> {
  const origins = [...new Set([...allowed.filter((origin) => origin !== '*'), ...LOCAL_ORIGINS])];
  const known = new Set(origins);
  const any = allowed.includes('*');
  const first = origins[0] as string;
  return ({ origin, asked }) => ({
    'Access-Control-Allow-Origin': origin !== undefined && (any || known.has(origin)) ? origin : first,
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': asked === undefined ? REQUEST_HEADERS.join(',') : allowedHeaders(asked),
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  });
}

/** The value of Access-Control-Expose-Headers with an additional header, for the few responses that have it. */
export const exposed = (header: string): string => `${EXPOSED},${header}`;

function allowedHeaders(asked: string): string {
  const wanted = asked
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const usual = REQUEST_HEADERS.map((name) =>
    name === 'Svc-Api-Key' && wanted.includes('st2-api-key') ? 'St2-Api-Key' : name,
  );
  return [...usual, ...FURTHER_REQUEST_HEADERS.filter((name) => wanted.includes(name.toLowerCase()))].join(',');
}

/** The value of a `Set-Cookie` header. */
export function setCookie(
  { name, value, maxAgeSeconds, httpOnly = true, sameSite: own }: Cookie,
  settings: CookieSettings,
): string {
  const sameSite = own ?? settings.sameSite;
  return [
    `${name}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    'Path=/',
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(settings.secure ? ['Secure'] : []),
    ...(sameSite === 'unset' ? [] : [`SameSite=${sameSite}`]),
  ].join('; ');
}
