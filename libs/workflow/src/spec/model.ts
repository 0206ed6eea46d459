/** A value of a definition: JSON data whose texts may hold expressions. */
export type Template = unknown;

/** One `name: value` of a list; the order decides what sees what. */
export interface Assignment {
  readonly name: string;
  readonly value: Template;
  /** The other pairs of a map that should have one; a sound definition has none. */
  readonly more?: readonly Assignment[];
}

export interface InputSpec {
  readonly name: string;
  /** Absent where the definition gives none: the input is then null unless the caller passes it. */
  readonly default?: Template;
  /** As those of an assignment. */
  readonly more?: readonly Assignment[];
}

export interface ItemsSpec {
  /** The expression that gives the list, with its delimiters. */
  readonly items: string;
  /** The names before `in`; empty where an item is used as it is. */
  readonly names: readonly string[];
  /** Null: all at once. */
  readonly concurrency: string | number | null;
}

/** Seconds between two attempts: a constant, an expression, or growing by `factor` from `initial` up to `max`. */
export type RetryDelay = string | number | RetryBackoff;

export interface RetryBackoff {
  readonly initial: string | number;
  readonly factor: string | number;
  readonly max?: string | number;
}

export interface RetrySpec {
  readonly count: string | number;
  readonly delay?: RetryDelay;
  /** Absent: retry when the task abended. */
  readonly when?: string;
}

export interface TransitionSpec {
  /** Absent: always. */
  readonly when?: string;
  readonly publish: readonly Assignment[];
  /** Names of tasks and engine commands, `['continue']` where the definition names none. */
  readonly do: readonly string[];
}

export interface TaskSpec {
  readonly name: string;
  /** A reference or an expression; absent: the task succeeds at once. */
  readonly action?: string;
  /** A map, or one expression that gives a map. */
  readonly input?: string | Readonly<Record<string, Template>>;
  /** Seconds. */
  readonly delay?: string | number;
  readonly join?: 'all' | number;
  readonly with?: ItemsSpec;
  readonly retry?: RetrySpec;
  /** Seconds after which an attempt is ended as a failure. */
  readonly timeout?: string | number;
  /** The task that undoes this one when the workflow fails or is cancelled after this one succeeded. */
  readonly rollback?: string;
  /** The variable that the task's result becomes when it has ended, before anything is published. */
  readonly resultAs?: string;
  readonly next: readonly TransitionSpec[];
}

/**
 * The language of the templates in `vars`, in the tasks' `input` and in `publish`. Absent: expressions in YAQL and Jinja.
 * `chain`: Jinja texts that see variables by their bare names, to be rendered by `renderChainValue`; a variable that is
 * published replaces the earlier one, where maps would merge otherwise; `action` is literal. Conditions are expressions in
 * any case.
 */
export type Dialect = 'chain';

/** A checked definition with its short forms written out. */
export interface WorkflowSpec {
  readonly name?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly input: readonly InputSpec[];
  readonly vars: readonly Assignment[];
  readonly tasks: ReadonlyMap<string, TaskSpec>;
  /** Names of the tasks to begin with. Absent: those that no transition names. */
  readonly start?: readonly string[];
  readonly dialect?: Dialect;
  /** Of a chain: a task whose input cannot be rendered ends the run, also where its failure leads on. */
  readonly failsUnrendered?: boolean;
  readonly output: readonly Assignment[];
  /** Seconds after which the whole run is ended as a failure. */
  readonly timeout?: string | number;
  /** Names of tasks that run one after the other once the outcome is decided, whatever it is. */
  readonly finally: readonly string[];
}

/** Names with a meaning of their own in `do`. */
export const ENGINE_COMMANDS = ['continue', 'fail', 'noop', 'retry'] as const;
export type EngineCommand = (typeof ENGINE_COMMANDS)[number];
