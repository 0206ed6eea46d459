export { checkCriteria } from './check-criteria';
export { compileCriteria } from './compile-criteria';
export { compileCriterion, CRITERIA_OPERATORS, criteriaOperator } from './compile-criterion';
export type { Criterion, CriterionEnv, CriterionMatcher, CriterionProblem, CriteriaDocument } from './criterion';
export { lookUp, type LookedUp } from './look-up';
export { parseDate } from './parse-date';
