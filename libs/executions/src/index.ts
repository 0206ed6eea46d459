export { createAnnouncer, type Announcer } from './announce';
export { isWaiting } from './cancel-together';
export { cancelExecution, pauseExecution, resumeExecution, updateExecution, type StatusUpdate } from './control';
export { createPermits, type LocalRunner, type Permits, type Reservation, type WaitingExecution } from './eager-start';
export { DEFAULT_POOL, releasedTo, WORKFLOW_POOL } from './execution-record';
export type { ExecutionSpans } from './execution-spans';
export { createExecutions, type ExecutionRecords, type Executions, type ExecutionsDeps } from './executions';
export {
  createInquiries,
  expiryOf,
  INQUIRER,
  inquiryOf,
  OPEN_INQUIRIES,
  type Inquiries,
  type OpenInquiry,
  type Responder,
} from './inquiries';
export { createOutputWriter, outputView, readOutput, wantsOutput, type OutputWriter } from './output';
export {
  createParameterResolver,
  type ConfigFor,
  type FinalParameters,
  type LookupFor,
  type PackConfig,
  type ParameterResolver,
} from './parameters';
export { type ExecutionPolicies, decideRetry, type Retry } from './policies/execution-policies';
export { goesBefore, type Taken } from './policies/limits';
export {
  requestExecution,
  type ExecutionRequest,
  type FoundDefinitions,
  type PreparedRequest,
  type RehearsedRequest,
  type WorkflowTask,
} from './request';
export { executionsOfActions, parentsOfExecution, permittedExecutions } from './permitted-executions';
export type { KeepCopies, Removal, RemovalChoice, RemovalStepOptions } from './removal';
export { recordFailedRequest } from './request-failed';
export { rerunExecution, type RerunRequest } from './rerun';
export { createResultStore, type ResultStore, type StoredResult } from './result';
export { createRecordSecrets, type RecordSecrets } from './execution-record';
export type { FoundTraces, TraceQuery } from './traces/find-traces';
export type { TraceContext } from './traces/derived-trace';
export { createTraces, type Followed, type Traces } from './traces/traces';
export { transition, type LocalEngine, type TransitionOptions, type TransitionSubject } from './transition';
export {
  executionView,
  fieldsOfAttributes,
  liveactionView,
  type Wants,
  asOf,
  atLogEntry,
  createViewer,
  type Viewer,
  type ViewOptions,
} from './view/viewer';
