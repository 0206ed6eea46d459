export { decideRetry, type Retry } from './decide-retry';
export { createExecutionPolicies, type ExecutionPolicies } from './execution-policies';
export { requestRetry } from './request-retry';
export { goesBefore, type Taken } from './take-room';
