export { evaluateYaql, yaqlProblem, yaqlText } from './evaluate';
export { DEFAULT_YAQL_LIMITS, type YaqlLimits } from './run/budget';
