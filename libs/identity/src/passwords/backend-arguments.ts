import { fault, isPlainObject } from '@switchyard/base';

/** One argument of a backend. */
export interface BackendArgument<T> {
  /** What is accepted, for messages. */
  readonly expected: string;
  /** @returns undefined for a value that is not accepted */
  read(value: unknown): T | undefined;
  /** The value when it is not given. Without a fallback, the argument is required. */
  readonly fallback?: { readonly value: T };
  /** Messages never show the value. */
  readonly secret?: true;
}

export type BackendArguments = Readonly<Record<string, BackendArgument<unknown>>>;

export type ArgumentValues<A extends BackendArguments> = {
  readonly [N in keyof A]: A[N] extends BackendArgument<infer T> ? T : never;
};

/**
 * Checks the arguments of a backend. A null counts as not given, as in StackStorm.
 * @param option the option that they are in
 * @throws Fault `config.conflict` that names the argument, the expected and the given value
 */
export function readArguments<A extends BackendArguments>(
  backend: string,
  table: A,
  given: Readonly<Record<string, unknown>>,
  option = 'auth.backend_kwargs',
): ArgumentValues<A> {
  const refuse = (name: string, expected: string, actual: string) =>
    fault('config.conflict', {
      text: `${option} of the backend ${backend}: "${name}": expected ${expected}, got ${actual}`,
    });
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined) {
    throw refuse(unknown, `one of the arguments ${Object.keys(table).join(', ')}`, 'an unknown name');
  }
  const values = Object.entries(table).map(([name, argument]): [string, unknown] => {
    const value = given[name] ?? undefined;
    if (value === undefined && argument.fallback) return [name, argument.fallback.value];
    if (value === undefined) throw refuse(name, argument.expected, 'nothing');
    const read = argument.read(value);
    if (read === undefined) throw refuse(name, argument.expected, argument.secret ? typeof value : shown(value));
    return [name, read];
  });
  // The types come from the table, which the compiler cannot infer in a loop.
  return Object.fromEntries(values) as ArgumentValues<A>;
}

const LONGEST_SHOWN = 200;
const shown = (value: unknown): string => JSON.stringify(value).slice(0, LONGEST_SHOWN);

export const textArgument = (expected = 'a text'): BackendArgument<string> => ({
  expected,
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
});

export const flagArgument: BackendArgument<boolean> = {
  expected: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const choiceArgument = <const C extends string>(choices: readonly C[]): BackendArgument<C> => ({
  expected: `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`,
  read: (value) => choices.find((choice) => choice === value),
});

export const listArgument = (expected: string): BackendArgument<readonly string[]> => ({
  expected,
  read: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && each !== '')
      ? (value as string[])
      : undefined,
});

export const objectArgument = (expected: string): BackendArgument<Readonly<Record<string, unknown>>> => ({
  expected,
  read: (value) => (isPlainObject(value) ? value : undefined),
});

/** Numbers may be written as texts, as in StackStorm. */
export const numberArgument = (expected: string, isAccepted: (value: number) => boolean): BackendArgument<number> => ({
  expected,
  read(value) {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) && isAccepted(number) ? number : undefined;
  },
});

export const optional = <T, F extends T | null>(argument: BackendArgument<T>, value: F): BackendArgument<T | F> => ({
  ...argument,
  fallback: { value },
});
