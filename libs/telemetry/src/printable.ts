import { isPlainObject, messageOf } from '@switchyard/base';
import { MASK } from '@switchyard/model';

export interface PrintOptions {
  /** Whether errors show where they come from. */
  readonly withStack: boolean;
  /** Names of members whose values are replaced by asterisks. */
  readonly isSecret: (name: string) => boolean;
}

/**
 * A copy that JSON can carry, with secrets masked: errors become `{message, code?, cause?, stack?}`; a line is never
 * lost because of what it tells, so what has no JSON form becomes a text. One walk does it all, since it is the
 * larger part of what a line costs.
 */
export function printable(value: unknown, options: PrintOptions, ancestors: readonly unknown[] = []): unknown {
  if (value === null || typeof value !== 'object') return printableScalar(value);
  if (ancestors.includes(value)) return '[circular]';
  const above = [...ancestors, value];
  const inner = (item: unknown) => printable(item, options, above);
  if (Array.isArray(value)) return value.map(inner);
  if (isPlainObject(value)) return printableMembers(value, options, inner);
  if (value instanceof Error) return inner(errorMembers(value, options.withStack));
  return otherObject(value, inner);
}

function printableMembers(
  record: Readonly<Record<string, unknown>>,
  { isSecret }: PrintOptions,
  inner: (item: unknown) => unknown,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(record)) {
    if (record[name] !== undefined) members[name] = isSecret(name) ? MASK : inner(record[name]);
  }
  return members;
}

function printableScalar(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return '[function]';
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function errorMembers(error: Error & { code?: unknown }, withStack: boolean): Record<string, unknown> {
  return {
    message: error.message,
    ...(error.code === undefined ? {} : { code: error.code }),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(error instanceof AggregateError ? { errors: error.errors } : {}),
    ...(withStack ? { stack: error.stack } : {}),
  };
}

function otherObject(value: object, inner: (item: unknown) => unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Map) return inner(Object.fromEntries(value));
  if (value instanceof Set) return inner([...value]);
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  return inner(hasOwnJson(value) ? ownJson(value) : { ...value });
}

/** Such as addresses and database documents. */
const hasOwnJson = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

function ownJson(value: { toJSON(): unknown }): unknown {
  try {
    return value.toJSON();
  } catch (error) {
    return `[unprintable: ${messageOf(error)}]`;
  }
}
