export {
  executionChange,
  executionOutput,
  executionStatus,
  releasePermits,
  runnerControl,
  type ExecutionChangeMessage,
  type ExecutionOutputMessage,
  type ExecutionStatusMessage,
  type ReleasePermitsMessage,
  type RunnerControlMessage,
} from './execution-messages';
export {
  POINTER_BYTES,
  type ChangeKind,
  type Decoded,
  type Message,
  type MessageBody,
  type MessageKind,
} from './message-kind';
export { checkPointer, decode, encode, messageKinds, type MessageOn } from './message-kinds';
export {
  announcement,
  recordChange,
  triggerInstance,
  type AnnouncementMessage,
  type RecordChangeMessage,
  type TriggerInstanceMessage,
} from './record-messages';
export {
  workflowNews,
  workflowStatus,
  type WorkflowNewsMessage,
  type WorkflowStatusMessage,
} from './workflow-messages';
