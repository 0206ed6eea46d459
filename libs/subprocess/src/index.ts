export { bootId, isRunning, processIdentity, type ProcessIdentity } from './proc-entry';
export { DEFAULT_GRACE_MS } from './end-descendants';
export {
  endProcessGroup,
  killMarked,
  type EndGroupOptions,
  type GroupOutcome,
  type RecordedGroup,
} from './end-process-group';
export {
  discardOutputPipe,
  openOutputPipe,
  type OutputPipe,
  OutputCapture,
  truncationNote,
  type CapturedOutput,
} from './process-output';
export {
  type Elevation,
  type EndCause,
  type EnvironmentMarker,
  type Exit,
  exitOfStatus,
  type OutputStream,
  type ProcessCommand,
  type ProcessOptions,
  type ProcessResult,
  type SpawnError,
} from './process-run';
export { endOrphanedSpawnServers } from './spawn-server/orphaned-servers';
export { ProcessStarter } from './spawn-server/process-starter';
export { ServerInterpreter } from './spawn-server/server-interpreter';
export {
  DEFAULT_MAX_OUTPUT_BYTES,
  followProcess,
  type ChildRun,
  type FollowedProcess,
  type FollowProcessOptions,
} from './follow-process';
export { startProcess } from './start-process';
