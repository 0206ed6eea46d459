export {
  checkCriteria,
  compileCriteria,
  compileCriterion,
  CRITERIA_OPERATORS,
  criteriaOperator,
} from './compile-criteria';
export type { Criterion, CriterionEnv, CriterionMatcher, CriterionProblem, CriteriaDocument } from './criterion';
export { lookUp, type LookedUp } from './look-up';
export { textOrder } from './python-comparison';
