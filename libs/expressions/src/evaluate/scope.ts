/**
 * A function that the application offers to expressions of both languages. Arguments and answers are plain data: null,
 * booleans, numbers, texts, lists and maps with text keys.
 */
export interface HostFunction {
  /** Names of the parameters in order, in snake case; YAQL accepts them in camel case (`result_index` as `resultIndex`). */
  readonly parameters: readonly string[];
  /** How many of the parameters must be given. */
  readonly required: number;
  /** Whether further positional arguments are taken; they reach `call` as `rest`, and `parameters` then only by name. */
  readonly variadic?: boolean;
  /** @param args by position of `parameters`, undefined where none was given */
  readonly call: (args: readonly unknown[], rest: readonly unknown[]) => unknown;
}

/** What an expression may see and ask. */
export interface ExpressionScope {
  /** The variables behind `$__vars` and, through the function `ctx`, everything else. Never changed by an evaluation. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The host's functions by their literal names, such as `ctx` and `task_status`. */
  readonly functions: ReadonlyMap<string, HostFunction>;
  /** What the host notes while its functions are called: kept with the outcome of an evaluation that is not repeated. */
  readonly trail?: Trail;
}

export interface Trail {
  /** What is noted so far; undefined when that is nothing. */
  readonly taken: () => unknown;
  /** Notes once more what an earlier evaluation has left. */
  readonly lay: (taken: unknown) => void;
}

/** A failure of one expression, in the words of the interface: `kind` is the class that messages name. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(
    readonly kind: string,
    message: string,
    readonly expression: string,
    /** Offset in the expression's text, where known. */
    readonly position?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * What a host function throws to stop an evaluation for a reason that is none of the expression's, such as a value that must
 * be fetched first. It goes through both languages as it is; any other error is a failure of the expression.
 */
export abstract class Interruption extends Error {}
