/** A parser and the processing of its result. It must return a value or reject any text. */
export interface FuzzTarget {
  readonly name: string;
  /** Valid inputs to mutate. */
  readonly seeds: readonly string[];
  /** Tokens of the language to insert anywhere. */
  readonly tokens: readonly string[];
  readonly run: (input: string) => unknown;
  /** Whether the thrown value is a documented error of the parser. */
  readonly isRefusal: (thrown: unknown) => boolean;
}
