import type { Sent } from '../caller';
import { exampleOf, pathValue } from './examples';
import type { Operation, Parameter } from './operations';
import { pick, randomOf, type Random } from './random';
import { jsonText } from './raw-json';
import { soundValue } from './sound-value';
import { spoil, spoilBytes, strangeText } from './spoil';

/** The request with a number: the same for the same seed. Some are valid, most are not. */
export function fuzzRequest(operations: readonly Operation[], seed: number, index: number): Sent {
  const random = randomOf(seed, index);
  const operation = pick(operations, random);
  const sound = soundRequest(operation, random);
  if (random() < 0.1) return sound;
  const changes = 1 + Math.floor(random() ** 2 * 3);
  let request = sound;
  for (let change = 0; change < changes; change++) request = spoiled(operation, request, random);
  return request;
}

const bodies = new WeakMap<Sent, unknown>();

/** As in the API document. */
export function soundRequest(operation: Operation, random: Random): Sent {
  const { method, path, parameters, body } = operation;
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encoded(pathValue(path, name, method === 'GET', random)),
  );
  const asked = parameters.filter((each) => each.in === 'query' && (each.required || random() < 0.25));
  const query = asked.map((parameter) => `${parameter.name}=${encoded(queryText(parameter, random))}`);
  const value = body && (exampleOf(`${method} ${path}`, random) ?? soundValue(body.schema, random));
  const sent: Sent = {
    method,
    path: withQuery(named, query),
    ...(body && { headers: { 'content-type': body.contentType }, body: textOf(value) }),
    headOnly: path.startsWith('/stream'),
  };
  bodies.set(sent, value);
  return sent;
}

const withQuery = (path: string, query: readonly string[]): string =>
  query.length === 0 ? path : `${path}?${query.join('&')}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value));

/** Keeps the tildes of placeholders for ids. */
const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      PLAIN.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
const PLAIN = /[\w.~-]/;

function queryText({ schema }: Parameter, random: Random): string {
  const value = soundValue(schema, random);
  return Array.isArray(value) ? value.join(',') : String(value);
}

function spoiled(operation: Operation, sent: Sent, random: Random): Sent {
  const kind = random();
  if (sent.body !== undefined && kind < 0.7) return spoiledBody(sent, random);
  if (kind < 0.85) return { ...sent, path: spoiledQuery(operation, sent.path, random) };
  if (kind < 0.93) return { ...sent, path: spoiledPath(sent.path, random) };
  return { ...sent, headers: { ...sent.headers, ...pick(HEADERS, random) } };
}

function spoiledBody(sent: Sent, random: Random): Sent {
  const value = bodies.get(sent);
  if (random() < 0.1 || typeof sent.body !== 'string') {
    return { ...sent, body: spoilBytes(typeof sent.body === 'string' ? sent.body : 'null', random) };
  }
  const worse = typeof value === 'string' ? spoiledText(value, random) : spoil(value, random);
  const spoiledSent = { ...sent, body: textOf(worse) };
  bodies.set(spoiledSent, worse);
  return spoiledSent;
}

function spoiledText(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  return text.slice(0, at) + strangeText(random) + text.slice(random() < 0.5 ? at : at + 10);
}

const QUERY_BYTES = 8_000;

function spoiledQuery({ parameters }: Operation, path: string, random: Random): string {
  const names = [
    ...parameters.filter((each) => each.in === 'query').map(({ name }) => name),
    'limit',
    'nothing',
    'a[b]',
  ];
  const value = random() < 0.5 ? pick(NUMBERS, random) : strangeText(random);
  const added = `${encoded(pick(names, random))}=${encoded(value.slice(0, QUERY_BYTES)).slice(0, QUERY_BYTES)}`;
  const times = random() < 0.1 ? 500 : 1;
  const query = Array<string>(times)
    .fill(added.slice(0, QUERY_BYTES / times))
    .join('&');
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

const NUMBERS = ['-1', '0', '1e308', '2147483648', '9007199254740993', 'NaN', '-0', '1.5', '99999999999999999999'];

function spoiledPath(path: string, random: Random): string {
  const parts = path.split('/');
  const at = 3 + Math.floor(random() * Math.max(1, parts.length - 3));
  // Short, since a path that is too long is rejected before anything else happens.
  parts[at] = encoded(strangeText(random).slice(0, 500)) || '%20';
  return parts.join('/');
}

const HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': `application/${'x'.repeat(4000)}` },
  { 'content-encoding': 'gzip' },
  { accept: 'text/html' },
  { 'x-request-id': 'x'.repeat(8000) },
  { 'st2-trace-tag': 'é'.repeat(3000) },
  { 'st2-api-key': 'x'.repeat(5000) },
  { 'x-auth-token': '\t' },
  { 'idempotency-key': 'x'.repeat(5000) },
  { authorization: 'Basic ****' },
  { origin: 'null' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-http-method-override': 'DELETE' },
];
