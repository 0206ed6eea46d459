export { PURE_FUNCTIONS } from './pure-functions';
export { workflowFunctions } from './workflow-functions';
export type { CurrentTask, TaskRecord, WorkflowView } from './workflow-view';
