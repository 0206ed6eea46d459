export { bootId, processIdentity, type ProcessIdentity } from './process-identity';
export { DEFAULT_GRACE_MS } from './end-descendants';
export {
  endProcessGroup,
  killMarked,
  type EndGroupOptions,
  type GroupOutcome,
  type RecordedGroup,
} from './end-process-group';
export { truncationNote, type CapturedOutput } from './output-capture';
export {
  type Elevation,
  type EnvironmentMarker,
  type OutputStream,
  type ProcessCommand,
  type ProcessOptions,
} from './process-options';
export { type EndCause, type ProcessResult, type SpawnError } from './process-result';
export { DEFAULT_MAX_OUTPUT_BYTES, startProcess, type ChildRun } from './start-process';
