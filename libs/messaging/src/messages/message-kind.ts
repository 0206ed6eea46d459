import type { Static, TObject } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import type * as Compiler from '@sinclair/typebox/compiler';
import { Value } from '@sinclair/typebox/value';
import { fault, isPlainObject, KIB } from '@switchyard/base';
import type { ExchangeName } from '../topology';

/** The members of all messages. A program reads its own version of a kind and the previous one. */
export interface MessageBody {
  readonly v: number;
  readonly type: string;
}

/** A message with its destination. */
export interface Message<B extends MessageBody = MessageBody> {
  readonly exchange: ExchangeName;
  readonly routingKey: string;
  readonly body: B;
}

/** One kind of message: its name, schema and limits. */
export interface MessageKind<S extends TObject = TObject, E extends ExchangeName = ExchangeName> {
  readonly type: string;
  readonly version: number;
  readonly exchanges: readonly E[];
  readonly maxBytes: number;
  readonly schema: S;
  /** If it returns false, `problem` describes the violation. */
  check(value: unknown): boolean;
  problem(value: unknown): string;
}

/** Maximum size of a message that is a pointer to a record. */
export const POINTER_BYTES = 4 * KIB;

export const idField = () => Type.String({ minLength: 1, maxLength: 64 });
export const refField = () => Type.String({ maxLength: 512 });
export const statusField = () => Type.String({ pattern: '^[a-z]{1,32}$' });
export const revisionField = () => Type.Integer({ minimum: 0 });
/** Connects the log lines and metrics of one event. Handlers must not depend on it. */
export const traceField = () => Type.Optional(Type.String({ maxLength: 512 }));
export const changeField = () => Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete')]);

export type ChangeKind = 'create' | 'update' | 'delete';

/** The members of a body that the caller of its constructor provides. A `trace` of null means none. */
export type MessageFields<B extends MessageBody> = Omit<B, 'v' | 'type' | 'trace'> & {
  readonly trace?: string | null | undefined;
};

interface KindDefinition<N extends string, S extends TObject, E extends ExchangeName> {
  readonly type: N;
  readonly exchanges: readonly E[];
  readonly maxBytes?: number;
  readonly schema: S;
}

/** Additional properties are allowed, so that a newer program can add some without a new version. */
export function messageKind<N extends string, S extends TObject, E extends ExchangeName>(
  definition: KindDefinition<N, S, E>,
): MessageKind<S, E> {
  const { schema } = definition;
  return {
    maxBytes: POINTER_BYTES,
    version: 1,
    ...definition,
    check: checkOf(schema),
    problem: (value) => {
      const error = Value.Errors(schema, value).First();
      return error ? `${error.path || 'message'}: ${error.message}` : '';
    },
  };
}

/** Compiling a schema takes as long as this number of checks, so a process compiles only those of messages that it handles often. */
const INTERPRETED = 2000;

/** Loaded by its first use. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- messages are checked in functions that are not asynchronous
const compiler = () => require('@sinclair/typebox/compiler') as typeof Compiler;

function checkOf(schema: TObject): (value: unknown) => boolean {
  let checks = 0;
  let compiled: Compiler.TypeCheck<TObject> | undefined;
  return (value) => {
    if (compiled !== undefined) return compiled.Check(value);
    if (++checks === INTERPRETED) compiled = compiler().TypeCompiler.Compile(schema);
    return Value.Check(schema, value);
  };
}

/** Adds version and type, and omits an absent trace. */
export function bodyOf<S extends TObject>(
  kind: MessageKind<S>,
  { trace, ...fields }: Readonly<Record<string, unknown>> & { readonly trace?: string | null | undefined },
): Static<S> {
  const body = { v: kind.version, type: kind.type, ...fields };
  return trace == null ? body : { ...body, trace };
}

/** The limit of AMQP for routing keys. */
const ROUTING_KEY_BYTES = 255;

/** A decoded delivery. `unknown` messages are well formed, but of a type or version that this program does not support. */
export type Decoded =
  | { readonly outcome: 'message'; readonly message: MessageBody }
  | { readonly outcome: 'unknown' | 'malformed'; readonly reason: string };

/** All kinds of messages, by type. */
export type MessageKinds = ReadonlyMap<string, MessageKind>;

/** Writes and reads messages of the given kinds. */
export function createCodec(kinds: MessageKinds) {
  const checked = ({ exchange, routingKey, body }: Message): MessageKind => {
    const kind = kinds.get(body.type);
    if (!kind?.exchanges.includes(exchange)) throw invalid(body.type, `unknown on the exchange ${exchange}`);
    if (!kind.check(body)) throw invalid(body.type, kind.problem(body));
    if (Buffer.byteLength(routingKey) > ROUTING_KEY_BYTES) throw invalid(body.type, 'the routing key is too long');
    return kind;
  };
  return {
    /**
     * Checks a message without encoding it.
     * @returns false if it is not a pointer: only encoding shows whether it is too large
     * @throws Fault messaging.invalid-message
     */
    checkPointer: (message: Message): boolean => checked(message).maxBytes === POINTER_BYTES,

    /** @throws Fault messaging.invalid-message, messaging.too-large */
    encode(message: Message): Buffer {
      const { body } = message;
      const kind = checked(message);
      const content = Buffer.from(JSON.stringify(body));
      if (content.length > kind.maxBytes) {
        throw fault('messaging.too-large', { type: body.type, size: content.length, limit: kind.maxBytes });
      }
      return content;
    },

    decode(content: Buffer, exchange: ExchangeName): Decoded {
      const body = parsed(content);
      if (!isEnvelope(body)) return { outcome: 'malformed', reason: 'not a JSON object with "v" and "type"' };
      const kind = kinds.get(body.type);
      if (!kind) return { outcome: 'unknown', reason: `type "${body.type}"` };
      if (!isReadable(kind, body.v)) return { outcome: 'unknown', reason: `version ${body.v} of "${body.type}"` };
      if (!kind.exchanges.includes(exchange)) return { outcome: 'malformed', reason: `"${body.type}" on ${exchange}` };
      if (!kind.check(body)) return { outcome: 'malformed', reason: kind.problem(body) };
      return { outcome: 'message', message: body };
    },
  };
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
