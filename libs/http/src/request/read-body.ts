import type { IncomingMessage } from 'node:http';
import { fault, messageOf } from '@switchyard/base';
import { compileSchema } from '@switchyard/model';
import type { Route } from '../routing/route';
import { parseMultipart } from './parse-multipart';
import { readBytes } from './read-bytes';

export type BodyReader = (request: IncomingMessage) => Promise<unknown>;

/** Compiles what a route says about its body. */
export function bodyReader(declared: Route['body'], limitBytes: number): BodyReader {
  if (declared === 'text') return async (request) => utf8(await plainBytes(request, limitBytes));
  const read = async (request: IncomingMessage) => parseBody(request, await plainBytes(request, limitBytes));
  if (declared === undefined || declared === 'any') return declared === 'any' ? read : () => Promise.resolve(undefined);
  const schema = compileSchema(declared);
  return async (request) => schema.assert(await read(request));
}

function plainBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return Promise.reject(fault('request.body-encoding', { encoding }));
  }
  return readBytes(request, limitBytes);
}

/** @param contentType the whole header */
type Parser = (bytes: Buffer, contentType: string) => unknown;

/** A missing type counts as JSON: clients send DELETE with a body and without a type. */
const parsers = new Map<string, Parser>([
  ['', parseJson],
  ['application/json', parseJson],
  ['application/x-www-form-urlencoded', parseForm],
  ['multipart/form-data', parseMultipart],
  ['text/plain', (bytes) => utf8(bytes)],
]);

function parseBody(request: IncomingMessage, bytes: Buffer): unknown {
  const contentType = request.headers['content-type'] ?? '';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const parser = parsers.get(type);
  // Nothing was sent, so there is nothing that could not be understood.
  if (bytes.length === 0) return {};
  if (!parser) throw fault('request.body', { text: `Unsupported Content-Type: "${type}"` });
  return parser(bytes, contentType);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8(bytes)) as unknown;
  } catch (error) {
    throw fault('request.body', { text: messageOf(error) }, { cause: error });
  }
}

/** Every value becomes a list of texts, as the reference has it: `a=1` is `{"a": ["1"]}`. */
function parseForm(bytes: Buffer): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(utf8(bytes))) {
    if (Object.hasOwn(fields, name)) fields[name]?.push(value);
    else Object.defineProperty(fields, name, { value: [value], enumerable: true, writable: true, configurable: true });
  }
  return fields;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw fault('request.body', { text: 'the body is not valid UTF-8' }, { cause: error });
  }
}
