import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import {
  MIB,
  assertWithin,
  fault,
  isFault,
  jsonProblem,
  parseExactJson,
  slices,
  type DataLimits,
  clientNetwork,
  KIB,
  type Fault,
} from '@switchyard/base';
import { compileSchema } from '@switchyard/model';
import type { Route } from '../routing/route';
import { parseForm, parseMultipart } from './parse-form';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly data: DataLimits;
}

/**
 * @param share counts the bytes of the body towards the limits on open bodies
 * @param inspect is called with the bytes before they are parsed
 */
export type BodyReader = (
  request: IncomingMessage,
  share: BodyShare,
  inspect?: (bytes: Uint8Array) => Promise<void>,
) => Promise<unknown>;

/** Compiles the body declaration of a route. */
export function bodyReader(
  { body: declared, bodySchema }: Pick<Route, 'body' | 'bodySchema'>,
  limits: BodyLimits,
): BodyReader {
  const bytesOf = async (...[request, share, inspect]: Parameters<BodyReader>): Promise<Buffer> => {
    const bytes = await plainBytes(request, limits.maxBodyBytes, share);
    await inspect?.(bytes);
    return bytes;
  };
  if (declared === 'text') return async (...given) => plainText(await bytesOf(...given), limits.data);
  if (declared === undefined) return () => Promise.resolve(undefined);
  const schema: { type?: unknown } | undefined = declared === 'any' ? bodySchema : declared;
  const isObject = schema?.type === 'object';
  const read: BodyReader = async (...given) => {
    const bytes = await bytesOf(...given);
    if (isObject) refuseJsonForm(given[0], bytes);
    const body = await parseBody(given[0], bytes, limits.data);
    return isObject ? objectShape.assert(body) : body;
  };
  if (declared === 'any') return read;
  const { assert } = compileSchema(inReportedOrder({ ...declared }), { pick: 'first' });
  return async (...given) => assert(await read(...given));
}

/** As in StackStorm, the first problem of a body is reported, and members that are not allowed come last. */
const inReportedOrder = ({ additionalProperties, ...others }: Record<string, unknown>): Record<string, unknown> =>
  additionalProperties === undefined ? others : { ...others, additionalProperties };

/** Any part of a body that is not an object may be a secret. */
const objectShape = compileSchema({ type: 'object', secret: true });

/** Clients such as curl send JSON as a form if they are not told otherwise. Its fields would be parts of the text, or none. */
function refuseJsonForm({ headers }: IncomingMessage, bytes: Buffer): void {
  const isJson = /^\s*[[{]/.test(bytes.toString('latin1', 0, FEW_BYTES));
  if (isJson && mediaType(headers) === FORM)
    throw fault('request.body', { text: 'not a form; JSON needs the Content-Type application/json' });
}

const FEW_BYTES = 64;

function plainBytes(request: IncomingMessage, limitBytes: number, share: BodyShare): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return Promise.reject(fault('request.body-encoding', { encoding }));
  }
  return readBytes(request, limitBytes, share);
}

const FORM = 'application/x-www-form-urlencoded';

/** @param contentType the whole header */
type Parser = (bytes: Buffer, limits: DataLimits, contentType: string) => Promise<unknown>;

/** A missing type counts as JSON, because clients send DELETE with a body but without a type. */
const parsers = new Map<string, Parser>([
  ['', parseJson],
  ['application/json', parseJson],
  [FORM, async (bytes, limits) => parseForm(await utf8(bytes), limits)],
  ['multipart/form-data', parseMultipart],
  ['text/plain', plainText],
]);

async function parseBody(request: IncomingMessage, bytes: Buffer, limits: DataLimits): Promise<unknown> {
  const type = mediaType(request.headers);
  const parser = parsers.get(type);
  // An empty body is valid with any type.
  if (bytes.length === 0) return {};
  if (!parser) throw fault('request.body', { text: `Unsupported Content-Type: "${type}"` });
  return parser(bytes, limits, request.headers['content-type'] ?? '');
}

const mediaType = ({ 'content-type': given = '' }: IncomingMessage['headers']): string =>
  (given.split(';', 1)[0] as string).trim().toLowerCase();

async function parseJson(bytes: Buffer, limits: DataLimits): Promise<unknown> {
  return jsonBody(await utf8(bytes), limits);
}

/** Parses a JSON body. Numbers that would lose precision become text. @throws Fault `request.body`, `data.limit`, `data.key` */
export async function jsonBody(text: string, limits: DataLimits): Promise<unknown> {
  try {
    return await parseExactJson(text, limits);
  } catch (error) {
    if (isFault(error)) throw error;
    throw fault('request.body', { text: jsonProblem(error) }, { cause: error });
  }
}

async function plainText(bytes: Buffer, limits: DataLimits): Promise<string> {
  const text = await utf8(bytes);
  assertWithin(text, limits);
  return text;
}

const BYTE_ORDER_MARK = '\uFEFF';
const INVALID_TEXT = { text: 'the body is not valid UTF-8' };

async function utf8(bytes: Buffer): Promise<string> {
  if (bytes.length <= MIB) {
    // A decoder that rejects invalid text takes longer to create than a usual body to read.
    if (!isUtf8(bytes)) throw fault('request.body', INVALID_TEXT);
    const text = bytes.toString('utf8');
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
  const turn = slices();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += MIB) {
      parts.push(decoder.decode(bytes.subarray(at, at + MIB), { stream: true }));
      await turn.next();
    }
    parts.push(decoder.decode());
  } catch (error) {
    throw fault('request.body', INVALID_TEXT, { cause: error });
  }
  return parts.join('');
}

/**
 * Reads the whole body, chunked or not.
 * @throws Fault `request.body-too-large` (before reading, if Content-Length says so), `request.too-many-bodies`
 */
function readBytes(request: IncomingMessage, limit: number, share: BodyShare): Promise<Buffer> {
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
    request.on('close', () => {
      // Every request closes, and creating an error takes long.
      if (!request.readableEnded) reject(new ClientGone());
    });
  });
}

/** The client closed the connection before it sent the whole body, so there is no one to respond to. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
  constructor(cause?: unknown) {
    super('the client closed the connection', { cause });
  }
}

export interface OpenBodyLimits {
  /** Maximum total size of the bodies of all unanswered requests. */
  readonly maxBytes: number;
  /** The same for requests from one address. */
  readonly maxBytesPerAddress: number;
}

/** The part of these limits that the body of one request uses. */
export interface BodyShare {
  /** @returns Fault `request.too-many-bodies` if the bytes would exceed a limit */
  take(bytes: number): Fault | undefined;
  /** Called when the request is answered. */
  release(): void;
}

/** The first bytes of each body are not counted, so that small requests always get through. */
const FREE_BYTES = 16 * KIB;
const RETRY_SECONDS = 5;

/** Keeps the bodies of unanswered requests from filling the memory. */
export class OpenBodies {
  #bytes = 0;
  readonly #bytesOf = new Map<string, number>();

  constructor(private readonly limits: OpenBodyLimits) {}

  open(address: string): BodyShare {
    const client = clientNetwork(address);
    let [received, counted] = [0, 0];
    return {
      take: (bytes) => {
        received += bytes;
        const more = Math.max(received - FREE_BYTES, 0) - counted;
        if (more === 0) return undefined;
        const refusal = this.#refusal(client, more);
        if (refusal) return refusal;
        this.#add(client, more);
        counted += more;
        return undefined;
      },
      release: () => {
        this.#add(client, -counted);
        counted = 0;
      },
    };
  }

  #refusal(client: string, more: number): Fault | undefined {
    const { maxBytes, maxBytesPerAddress } = this.limits;
    if (this.#bytes + more > maxBytes) return tooMany('max_open_body_bytes');
    const ofAddress = (this.#bytesOf.get(client) ?? 0) + more;
    return ofAddress > maxBytesPerAddress ? tooMany('max_open_body_bytes_per_address') : undefined;
  }

  #add(client: string, more: number): void {
    this.#bytes += more;
    const bytes = (this.#bytesOf.get(client) ?? 0) + more;
    if (bytes === 0) this.#bytesOf.delete(client);
    else this.#bytesOf.set(client, bytes);
  }
}

const tooMany = (option: string) =>
  fault('request.too-many-bodies', { option: `limits.${option}` }, { extra: { retry_after: RETRY_SECONDS } });
