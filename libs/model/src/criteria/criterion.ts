import type { Micros } from '@switchyard/base';

/** One entry of a rule's criteria, as it is written in a rule. */
export interface Criterion {
  /** The operator's name. */
  readonly type: string;
  /** What the value is compared with. */
  readonly pattern?: unknown;
  /** Of `search` only: `any`, `all`, `any2any` or `all2any`. */
  readonly condition?: unknown;
}

/** What a criterion is tested with, besides the value. */
export interface CriterionEnv {
  /** The moment that ages of dates are measured from. */
  readonly now: Micros;
  /**
   * Renders a pattern's text before it is compared; the text itself where it is no template.
   * @param document what the pattern may refer to: `{trigger}`, or `{item}` for the entries of a `search`
   * @throws anything, whose message becomes the reason of a problem
   */
  readonly render?: (pattern: string, document: CriteriaDocument) => unknown;
  /** Told about each criterion that could not be tested and therefore does not match. */
  readonly problem?: (problem: CriterionProblem) => void;
}

/** What keys are looked up in: `{trigger: payload}`, `{item: element}`. */
export type CriteriaDocument = Readonly<Record<string, unknown>>;

export interface CriterionProblem {
  /** `operator`: values it is not made for; `render`: the pattern; `key`: a key that is no path, or costs too much. */
  readonly kind: 'operator' | 'render' | 'key';
  readonly reason: string;
  /** The entry's key, where the criterion stands in criteria. */
  readonly key?: string;
  readonly pattern?: unknown;
}

/** Whether a value meets a criterion; undefined is a missing value, null one that is there. Never throws. */
export type CriterionMatcher = (value: unknown, env: CriterionEnv) => boolean;

/** An operator with its pattern. @throws NotApplicable for values that it is not made for */
export type Operator = (value: unknown, env: CriterionEnv) => boolean;

/** Thrown by operators: there is no answer for these values. `message` is the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}
