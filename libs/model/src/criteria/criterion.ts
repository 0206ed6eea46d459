import type { Micros } from '@switchyard/base';

/** One entry of a rule's criteria, as written in the rule. */
export interface Criterion {
  /** The operator's name. */
  readonly type: string;
  /** The value to compare with. */
  readonly pattern?: unknown;
  /** For `search` only: `any`, `all`, `any2any` or `all2any`. */
  readonly condition?: unknown;
}

/** The context of a test, besides the value. */
export interface CriterionEnv {
  /** The time from which ages of dates are measured. */
  readonly now: Micros;
  /**
   * Renders the text of a pattern before the comparison; returns text without templates unchanged.
   * @param document the roots that the pattern may use: `{trigger}`, or `{item}` for the entries of a `search`
   * @throws anything, whose message becomes the reason of a problem
   */
  readonly render?: (pattern: string, document: CriteriaDocument) => unknown;
  /** Receives each criterion that could not be tested and therefore does not match. */
  readonly problem?: (problem: CriterionProblem) => void;
}

/** The document for looking up keys: `{trigger: payload}`, `{item: element}`. */
export type CriteriaDocument = Readonly<Record<string, unknown>>;

export interface CriterionProblem {
  /** `operator`: not applicable to the values; `render`: the pattern failed; `key`: an invalid key, or one that is too costly. */
  readonly kind: 'operator' | 'render' | 'key';
  readonly reason: string;
  /** The entry's key, if the criterion is part of criteria. */
  readonly key?: string;
  readonly pattern?: unknown;
}

/** Whether a value matches a criterion. Undefined means a missing value, null an existing one. Never throws. */
export type CriterionMatcher = (value: unknown, env: CriterionEnv) => boolean;

/** An operator with its pattern. @throws NotApplicable for values that it does not support */
export type Operator = (value: unknown, env: CriterionEnv) => boolean;

/** Thrown by operators that do not apply to the values. `message` is the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}
