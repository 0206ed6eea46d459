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
  ['application/x-www-form-urlencoded', (bytes) => plainNames(parseForm(bytes))],
  ['multipart/form-data', (bytes, contentType) => plainNames(parseMultipart(bytes, contentType))],
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
  const text = utf8(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fault('request.body', { text: messageOf(error) }, { cause: error });
  }
  // Written in JSON, the character always looks like this; few bodies have it.
  if (text.includes('\\u0000')) refuseNullInNames(value);
  return value;
}

/** The store has no names of fields with a null character. */
function refuseNullInNames(body: unknown): void {
  // A list instead of recursion: bodies may be nested more deeply than the stack is.
  const open = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (name.includes('\0')) {
        throw fault('request.body', { text: `the name ${JSON.stringify(name)} holds a null character` });
      }
      open.push(member);
    }
  }
}

function plainNames<T extends object>(fields: T): T {
  refuseNullInNames(fields);
  return fields;
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
