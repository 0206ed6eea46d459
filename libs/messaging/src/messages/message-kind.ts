import type { Static, TObject } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import Ajv, { type ValidateFunction } from 'ajv';
import { KIB } from '@switchyard/base';
import type { ExchangeName } from '../topology';

/** What every message has. A program reads its own version of a kind and the one before. */
export interface MessageBody {
  readonly v: number;
  readonly type: string;
}

/** A message together with where it goes. */
export interface Message<B extends MessageBody = MessageBody> {
  readonly exchange: ExchangeName;
  readonly routingKey: string;
  readonly body: B;
}

/** One kind of message: its name, form and bounds. */
export interface MessageKind<S extends TObject = TObject> {
  readonly type: string;
  readonly version: number;
  readonly exchanges: readonly ExchangeName[];
  readonly maxBytes: number;
  readonly schema: S;
  /** Compiled at the first call. On false, `problem` says what is wrong. */
  check(value: unknown): boolean;
  problem(value: unknown): string;
}

/** The size that no pointer exceeds. */
export const POINTER_BYTES = 4 * KIB;

export const idField = () => Type.String({ minLength: 1, maxLength: 64 });
export const refField = () => Type.String({ maxLength: 512 });
export const statusField = () => Type.String({ pattern: '^[a-z]{1,32}$' });
export const revisionField = () => Type.Integer({ minimum: 0 });
/** Joins the log lines and metrics of one event; readers must not depend on it. */
export const traceField = () => Type.Optional(Type.String({ maxLength: 512 }));
export const changeField = () => Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete')]);

export type Change = 'create' | 'update' | 'delete';

/** The part of a body that its constructor takes from the caller. `trace` may be null for "none". */
export type Fields<B extends MessageBody> = Omit<B, 'v' | 'type' | 'trace'> & {
  readonly trace?: string | null | undefined;
};

interface KindDefinition<N extends string, S extends TObject> {
  readonly type: N;
  readonly exchanges: readonly ExchangeName[];
  readonly maxBytes?: number;
  readonly schema: S;
}

/** Further properties are let through: a newer program may add some without a new version. */
export function messageKind<N extends string, S extends TObject>(definition: KindDefinition<N, S>): MessageKind<S> {
  let validate: ValidateFunction | undefined;
  const compiled = () => (validate ??= new Ajv().compile(definition.schema));
  return {
    maxBytes: POINTER_BYTES,
    version: 1,
    ...definition,
    check: (value) => compiled()(value),
    problem: (value) => {
      const [error] = compiled()(value) ? [] : (compiled().errors ?? []);
      return error ? `${error.instancePath || 'message'} ${error.message ?? 'is not valid'}` : '';
    },
  };
}

/** Puts version and type in front, and leaves an absent trace out. */
export function bodyOf<S extends TObject>(
  kind: MessageKind<S>,
  { trace, ...fields }: Readonly<Record<string, unknown>> & { readonly trace?: string | null | undefined },
): Static<S> {
  const body = { v: kind.version, type: kind.type, ...fields };
  return trace == null ? body : { ...body, trace };
}
