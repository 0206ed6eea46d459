import { messageOf } from '@switchyard/base';
import { ExpressionError } from '../evaluate/scope';
import { NothingToDecrypt } from '../jinja/run/datastore-item';
import { JinjaError, type JinjaErrorKind } from '../jinja/values/jinja-error';
import { YaqlFailure } from '../yaql/values/failure';

/** The form of an error in messages between threads, which lose classes. */
export type WireError = {
  readonly type: 'jinja' | 'nothing-to-decrypt' | 'expression' | 'yaql' | 'range' | 'other';
  readonly kind: string;
  readonly message: string;
  readonly expression?: string;
  readonly position?: number | undefined;
  readonly cause?: WireError | undefined;
  /** The number of the host's answer; the host uses it to find the original error. */
  readonly origin?: number | undefined;
};

const origins = new WeakMap<object, number>();

export function toWire(error: unknown): WireError {
  const message = messageOf(error);
  const cause = error instanceof Error && error.cause !== undefined ? toWire(error.cause) : undefined;
  const origin = typeof error === 'object' && error !== null ? origins.get(error) : undefined;
  const rest = { message, cause, origin };
  if (error instanceof NothingToDecrypt) return { type: 'nothing-to-decrypt', kind: error.kind, ...rest };
  if (error instanceof JinjaError) return { type: 'jinja', kind: error.kind, ...rest };
  if (error instanceof YaqlFailure) return { type: 'yaql', kind: error.kind, ...rest, position: error.position };
  if (error instanceof ExpressionError) {
    const { kind, expression, position } = error;
    return { type: 'expression', kind, expression, position, ...rest };
  }
  const kind = error instanceof Error ? error.name : 'Error';
  return { type: error instanceof RangeError ? 'range' : 'other', kind, ...rest };
}

/** @param known errors by origin, which are returned as the same objects */
export function fromWire(wire: WireError, known: ReadonlyMap<number, unknown> = NONE): unknown {
  if (wire.origin !== undefined && known.has(wire.origin)) return known.get(wire.origin);
  const error = made(wire, wire.cause === undefined ? {} : { cause: fromWire(wire.cause, known) });
  if (wire.origin !== undefined) origins.set(error, wire.origin);
  return error;
}

const NONE: ReadonlyMap<number, unknown> = new Map();

function made({ type, kind, message, expression = '', position }: WireError, options: ErrorOptions): Error {
  switch (type) {
    case 'nothing-to-decrypt':
      return Object.assign(new NothingToDecrypt(''), { message });
    case 'jinja':
      return new JinjaError(kind as JinjaErrorKind, message, options);
    case 'yaql':
      return new YaqlFailure(kind, message, position, options);
    case 'expression':
      return new ExpressionError(kind, message, expression, position, options);
    case 'range':
      return new RangeError(message, options);
    case 'other':
      return Object.assign(new Error(message, options), { name: kind });
  }
}
