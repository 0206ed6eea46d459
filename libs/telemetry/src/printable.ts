import { isPlainObject, messageOf } from '@switchyard/base';
import { MASK, secretNameTest } from '@switchyard/model';

export interface PrintOptions {
  /** Whether errors include their stack. */
  readonly withStack: boolean;
  /** Whether the value of a member with this name is replaced with asterisks. */
  readonly isSecret: (name: string) => boolean;
}

/**
 * A copy that JSON can represent, with masked secrets. Errors become `{message, code?, cause?, stack?}`, and values without a JSON
 * form become strings, so that no line is lost because of its fields. All of this happens in one pass, because it is most of the
 * cost of a line.
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

/** For example URLs and database documents. */
const hasOwnJson = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

function ownJson(value: { toJSON(): unknown }): unknown {
  try {
    return value.toJSON();
  } catch (error) {
    return `[unprintable: ${messageOf(error)}]`;
  }
}

/** The model's test for secret names with a cache, because the same few names are in every line. */
export function rememberingSecretNames(extraNames: readonly string[]): (name: string) => boolean {
  const test = secretNameTest(extraNames);
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name) ?? test(name);
    // Names may come from user data, so their number is not limited.
    if (answers.size >= MOST_NAMES) answers.clear();
    answers.set(name, known);
    return known;
  };
}

const MOST_NAMES = 10_000;
