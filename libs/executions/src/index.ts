export { createAnnouncer, type Announcer } from './announce';
export { cancelExecution, updateExecution, type StatusUpdate } from './control';
export { isWaiting } from './cancel-waiting';
export { createExecutions, type Executions, type ExecutionsDeps } from './executions';
export * from './inquiries';
export { outputView, readOutput, wantsOutput } from './output/output-reader';
export { createOutputWriter, type OutputWriter } from './output/output-writer';
export {
  createParameterResolver,
  type FinalParameters,
  type Lookup,
  type ConfigFor,
  type PackConfig,
  type LookupFor,
  type ParameterResolver,
} from './parameters/resolve';
export {
  DEFAULT_POOL,
  requestExecution,
  WORKFLOW_POOL,
  type ExecutionRequest,
  type FoundDefinitions,
  type PreparedRequest,
  type WorkflowTask,
} from './request';
export { decideRetry, goesBefore, type ExecutionPolicies, type Retry, type Taken } from './policies';
export { pauseExecution, resumeExecution } from './pause';
export { rerunExecution, type RerunRequest } from './rerun';
export { createResultKeeper, type ResultKeeper, type StoredResult } from './result';
export { createSecretKeeper, type SecretKeeper } from './secrets';
export { recordFailedRequest } from './request-failed';
export type { RehearsedRequest } from './rehearse-request';
export * from './traces';
export { transition, type TransitionOptions, type TransitionSubject } from './transition';
export * from './workflows';
export { asOf, atLogEntry } from './view/as-of';
export { EXECUTION_ATTRIBUTES, executionView, fieldsOfAttributes, type Wants } from './view/execution-view';
export { liveactionView } from './view/liveaction-view';
export { createViewer, type Viewer, type ViewOptions } from './view/viewer';
