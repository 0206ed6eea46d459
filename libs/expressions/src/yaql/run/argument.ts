import type { Code } from './frame';

/** An argument of a call, compiled. */
export interface Argument {
  readonly code: Code;
  /** Present for a literal and a bare word: its type is known before the call runs. */
  readonly literal?: { readonly value: unknown } | undefined;
  /** The text of a bare word, which may name a parameter in front of `=>`. */
  readonly word?: string | undefined;
}

export interface ArgumentList {
  /** Undefined: an empty place. */
  readonly positional: readonly (Argument | undefined)[];
  readonly rules: readonly { readonly key: Argument; readonly value: Argument }[];
}

/** An argument whose value is known. */
export const valueArgument = (value: unknown): Argument => ({ code: () => value });
