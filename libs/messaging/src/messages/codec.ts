import type { Static } from '@sinclair/typebox';
import { fault, isPlainObject } from '@switchyard/base';
import type { ExchangeName } from '../topology';
import { executionChangeKind, executionOutputKind, executionStatusKind, runnerControlKind } from './execution-messages';
import type { Message, MessageBody, MessageKind } from './message-kind';
import { announcementKind, recordChangeKind, triggerInstanceKind } from './record-messages';
import { workflowNewsKind, workflowStatusKind } from './workflow-messages';

const KINDS = [
  announcementKind,
  executionChangeKind,
  executionOutputKind,
  executionStatusKind,
  recordChangeKind,
  runnerControlKind,
  triggerInstanceKind,
  workflowNewsKind,
  workflowStatusKind,
] as const;

/** All kinds of messages, by type. */
export const messageKinds: ReadonlyMap<string, MessageKind> = new Map(
  KINDS.map((kind) => [kind.type, kind as unknown as MessageKind]),
);

type BodyOn<K, E extends ExchangeName> =
  K extends MessageKind<infer S, infer On> ? (E extends On ? Static<S> : never) : never;

/** The messages of an exchange. */
export type MessageOn<E extends ExchangeName> = E extends ExchangeName ? BodyOn<(typeof KINDS)[number], E> : never;

/** The limit of AMQP for routing keys. */
const ROUTING_KEY_BYTES = 255;

/** @throws Fault messaging.invalid-message, messaging.too-large */
export function encode({ exchange, routingKey, body }: Message): Buffer {
  const kind = messageKinds.get(body.type);
  if (!kind?.exchanges.includes(exchange)) throw invalid(body.type, `unknown on the exchange ${exchange}`);
  if (!kind.check(body)) throw invalid(body.type, kind.problem(body));
  if (Buffer.byteLength(routingKey) > ROUTING_KEY_BYTES) throw invalid(body.type, 'the routing key is too long');
  const content = Buffer.from(JSON.stringify(body));
  if (content.length > kind.maxBytes) {
    throw fault('messaging.too-large', { type: body.type, size: content.length, limit: kind.maxBytes });
  }
  return content;
}

/** A decoded delivery. `unknown` messages are well formed, but of a type or version that this program does not support. */
export type Decoded =
  | { readonly outcome: 'message'; readonly message: MessageBody }
  | { readonly outcome: 'unknown' | 'malformed'; readonly reason: string };

export function decode(content: Buffer, exchange: ExchangeName): Decoded {
  const body = parsed(content);
  if (!isEnvelope(body)) return { outcome: 'malformed', reason: 'not a JSON object with "v" and "type"' };
  const kind = messageKinds.get(body.type);
  if (!kind) return { outcome: 'unknown', reason: `type "${body.type}"` };
  if (!isReadable(kind, body.v)) return { outcome: 'unknown', reason: `version ${body.v} of "${body.type}"` };
  if (!kind.exchanges.includes(exchange)) return { outcome: 'malformed', reason: `"${body.type}" on ${exchange}` };
  if (!kind.check(body)) return { outcome: 'malformed', reason: kind.problem(body) };
  return { outcome: 'message', message: body };
}

const invalid = (type: string, text: string) => fault('messaging.invalid-message', { type, text });

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
}

const isEnvelope = (body: unknown): body is MessageBody =>
  isPlainObject(body) && Number.isInteger(body['v']) && typeof body['type'] === 'string';

/** The current version and the previous one are readable, so that a cluster can be upgraded process by process. */
const isReadable = (kind: MessageKind, version: number): boolean =>
  version === kind.version || (version === kind.version - 1 && version >= 1);
