/**
 * A function that the host application offers to expressions of both languages. Arguments and results are plain data:
 * null, booleans, numbers, texts, lists and maps with text keys.
 */
export interface HostFunction {
  /** Parameter names in order, in snake case; YAQL takes them in camel case (`result_index` as `resultIndex`). */
  readonly parameters: readonly string[];
  /** How many parameters are required. */
  readonly required: number;
  /**
   * Whether it takes further positional arguments. They reach `call` as `rest`; `parameters` can then be given by name
   * only.
   */
  readonly variadic?: boolean;
  /** Whether arguments and results keep floats such as 2.0, as `Float`. Other functions take and return them as numbers. */
  readonly exact?: boolean;
  /** @param args in the order of `parameters`, undefined where not given */
  readonly call: (args: readonly unknown[], rest: readonly unknown[]) => unknown;
}

/** What an expression can access. */
export interface ExpressionScope {
  /** The variables behind `$__vars` and the function `ctx`. An evaluation never changes them. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Host functions by name, such as `ctx` and `task_status`. */
  readonly functions: ReadonlyMap<string, HostFunction>;
  /**
   * What the host records while its functions run. It is stored with the outcome, and replayed when the outcome is
   * reused.
   */
  readonly trail?: Trail;
  /** Called with the value of each text that has an expression. */
  readonly onValue?: (value: unknown) => void;
}

export interface Trail {
  /** Returns the record so far; undefined when it is empty. */
  readonly taken: () => unknown;
  /** Restores the record of an earlier evaluation. */
  readonly lay: (taken: unknown) => void;
}

/** The failure of one expression. `kind` is the error class that messages name. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(
    readonly kind: string,
    message: string,
    readonly expression: string,
    /** Offset in the expression's text, if known. */
    readonly position?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * What a host function throws to stop an evaluation for a reason outside the expression, such as a value that must be
 * fetched first. Both languages pass it through; any other error is a failure of the expression.
 */
export abstract class Interruption extends Error {}

/** The result of an expression that is just a missing name, key or attribute. */
export const UNRESOLVED = Symbol('unresolved');
