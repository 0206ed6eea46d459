export { bootId, isRunning, processIdentity, type ProcessIdentity } from './proc-entry';
export { DEFAULT_GRACE_MS, type Elevation } from './end-descendants';
export {
  endProcessGroup,
  killMarked,
  type EndGroupOptions,
  type GroupOutcome,
  type RecordedGroup,
} from './end-process-group';
export { OutputCapture, pipeReader, truncationNote, type CapturedOutput } from './process-output';
export { PipeEnd } from './pipe-end';
export { findProgram, isSameProgram, versionOf, type ProgramFile } from './program-file';
export {
  type ChildRun,
  DEFAULT_MAX_OUTPUT_BYTES,
  type EndCause,
  type Exit,
  exitOfStatus,
  type FollowedProcess,
  followProcess,
  type FollowProcessOptions,
  type OutputStream,
  type ProcessCommand,
  type ProcessOptions,
  type ProcessResult,
  type SpawnError,
} from './process-run';
export { endOrphanedSpawnServers } from './spawn-server/orphaned-servers';
export { ProcessStarter } from './spawn-server/process-starter';
export { ServerInterpreter } from './spawn-server/server-interpreter';
export { startProcess } from './start-process';
export { type EnvironmentMarker } from './survivors';
