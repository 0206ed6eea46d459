/** A value of a definition: JSON data whose texts may contain expressions. */
export type TemplateValue = unknown;

/** One `name: value` of a list; values see those before them. */
export interface ContextAssignment {
  readonly name: string;
  readonly value: TemplateValue;
  /** Further pairs of a map that should have one; absent in a valid definition. */
  readonly more?: readonly ContextAssignment[];
}

export interface InputSpec {
  readonly name: string;
  /** Absent if the definition gives none: the input is then null unless the caller passes it. */
  readonly default?: TemplateValue;
  /** As for an assignment. */
  readonly more?: readonly ContextAssignment[];
}

export interface ItemsSpec {
  /** As written, with the names. */
  readonly text: string;
  /** The expression for the list, with its delimiters. */
  readonly items: string;
  /** The names before `in`; empty if items are used as they are. */
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
  readonly publish: readonly ContextAssignment[];
  /** Names of tasks and engine commands; `['continue']` if the definition names none. */
  readonly do: readonly string[];
}

export interface TaskSpec {
  readonly name: string;
  /** A reference or an expression; absent: the task succeeds at once. */
  readonly action?: string;
  /** A map, or an expression that gives one. */
  readonly input?: string | Readonly<Record<string, TemplateValue>>;
  /** Seconds. */
  readonly delay?: string | number;
  readonly join?: 'all' | number;
  readonly with?: ItemsSpec;
  readonly retry?: RetrySpec;
  /** Seconds after which an attempt fails. */
  readonly timeout?: string | number;
  /** The task that undoes this one if it succeeded and the workflow then fails or is canceled. */
  readonly rollback?: string;
  /** The variable for the task's result, set before anything is published. */
  readonly resultAs?: string;
  readonly next: readonly TransitionSpec[];
}

/**
 * The language of templates in `vars`, in the tasks' `input` and in `publish`. Absent: expressions in YAQL and Jinja.
 * `chain`: Jinja texts that see variables by bare names, rendered by `renderChainValue`; a published variable replaces
 * the earlier one where maps would merge otherwise; `action` is literal. Conditions are expressions in any case.
 */
export type Dialect = 'chain';

/** A validated definition with its short forms expanded. */
export interface WorkflowSpec {
  readonly name?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly input: readonly InputSpec[];
  readonly vars: readonly ContextAssignment[];
  readonly tasks: ReadonlyMap<string, TaskSpec>;
  /** Names of the start tasks. Absent: those that no transition names. */
  readonly start?: readonly string[];
  readonly dialect?: Dialect;
  /** For a chain: a task whose input cannot be rendered ends the run, even if its failure has a successor. */
  readonly failsUnrendered?: boolean;
  readonly output: readonly ContextAssignment[];
  /** Seconds after which the whole run fails. */
  readonly timeout?: string | number;
  /** Names of tasks that run one after the other once the outcome is decided, whatever it is. */
  readonly finally: readonly string[];
}

/** Names with a special meaning in `do`. */
export const ENGINE_COMMANDS = ['continue', 'fail', 'noop', 'retry'] as const;
export type EngineCommand = (typeof ENGINE_COMMANDS)[number];
