import type { Id, Micros } from '@switchyard/base';
import type { CorrelationState } from '../rules/correlation';

/** What is remembered of the matches of one rule in one group. */
export interface RuleStateRecord extends CorrelationState {
  _id: string;
  /** Id of the rule. */
  rule: Id;
  /** The beginning of the group's name, for people. */
  group: string;
  /** Grows by one with every write. */
  revision: number;
  /** When the next of `pending` runs its action. */
  due?: Micros;
  expires: Date;
}
