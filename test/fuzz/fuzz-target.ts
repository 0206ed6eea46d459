/** A parser, with what happens to its result, that has to give a value or refuse whatever text it gets. */
export interface FuzzTarget {
  readonly name: string;
  /** Sound inputs, to be changed. */
  readonly seeds: readonly string[];
  /** Pieces of the language, to be put anywhere. */
  readonly tokens: readonly string[];
  readonly run: (input: string) => unknown;
  /** Whether what was thrown is an answer: an error that the parser's users are promised. */
  readonly isRefusal: (thrown: unknown) => boolean;
}
