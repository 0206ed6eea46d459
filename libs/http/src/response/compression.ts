import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Writable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import { KIB } from '@switchyard/base';
import { TOKEN_COOKIE } from '@switchyard/identity';

/** Smaller bodies are sent as they are: compressing them costs more than it saves. */
const LEAST_BYTES = 8 * KIB;
/** The fastest level. Lists are repetitive, so that further effort saves little. */
const OPTIONS = { level: constants.Z_BEST_SPEED };
const TEXT = /^(application\/json|text\/)/;

const compress = promisify<Uint8Array, typeof OPTIONS, Buffer>(gzip);

/** @returns the body as it is to be sent, and sets the headers that say so */
export async function encodedBody(response: ServerResponse, body: Uint8Array): Promise<Uint8Array> {
  if (body.length < LEAST_BYTES || !isCompressible(response)) return body;
  announce(response);
  return compress(body, OPTIONS);
}

/** Where to write a body of unknown length. Its end ends the response. Call it before the headers are sent. */
export function encodedSink(response: ServerResponse): Writable {
  if (!isCompressible(response)) return response;
  announce(response);
  const sink = createGzip(OPTIONS);
  pipeline(sink, response, () => undefined);
  return sink;
}

/** Not for what has a version, because a client may send it back. */
const isCompressible = (response: ServerResponse): boolean =>
  acceptsGzip(response.req) &&
  TEXT.test(String(response.getHeader('content-type'))) &&
  !response.hasHeader('content-encoding') &&
  !response.hasHeader('etag') &&
  !isByCookie(response.req);

/**
 * Whether a browser may have added the login by itself. Then the size of a compressed response would tell parts of it to a site that makes
 * the browser send requests. Other sites cannot add the header of a token.
 */
const isByCookie = ({ headers }: IncomingMessage): boolean =>
  (headers.cookie ?? '').includes(`${TOKEN_COOKIE}=`) && headers['x-auth-token'] === undefined;

function acceptsGzip({ headers }: IncomingMessage): boolean {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',');
  return accepted.some((each) => /^\s*(gzip|\*)\s*(;\s*q\s*=\s*(?!0(\.0*)?\s*$).*)?$/.test(each));
}

function announce(response: ServerResponse): void {
  response.setHeader('Content-Encoding', 'gzip');
  const vary = response.getHeader('vary');
  response.setHeader('Vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
}
