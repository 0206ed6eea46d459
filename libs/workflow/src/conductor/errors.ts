/** Why a call was refused. The reference uses the same names, and messages show them. */
export type ConductorErrorKind =
  | 'InvalidEvent'
  | 'InvalidStatus'
  | 'InvalidTask'
  | 'InvalidTaskRerunRequest'
  | 'InvalidTaskStateEntry'
  | 'InvalidWorkflowStatusTransition'
  | 'WorkflowIsActiveAndNotRerunableError';

/** A call that the conductor refused. Nothing has changed. */
export class ConductorError extends Error {
  override readonly name = 'ConductorError';

  constructor(
    readonly kind: ConductorErrorKind,
    message: string,
  ) {
    super(message);
  }
}

export const invalidTask = (task: string): ConductorError =>
  new ConductorError('InvalidTask', `Task "${task}" does not exist.`);

export const notStaged = (task: string): ConductorError =>
  new ConductorError('InvalidTaskStateEntry', `Task "${task}" is not staged or has not started yet.`);

export const noSuchItem = (task: string, item: number): ConductorError =>
  new ConductorError('InvalidTaskStateEntry', `Task "${task}" has no item ${item} to start or to end.`);

export const invalidStatus = (status: string): ConductorError =>
  new ConductorError('InvalidStatus', `Status "${status}" is not valid.`);

export const invalidEvent = (event: string): ConductorError =>
  new ConductorError('InvalidEvent', `Event "${event}" is not valid.`);

export const invalidTransition = (request: string, status: string): ConductorError =>
  new ConductorError(
    'InvalidWorkflowStatusTransition',
    `Unable to process event "workflow_${request}" for workflow in "${status}" status.`,
  );

export const stillActive = (): ConductorError =>
  new ConductorError(
    'WorkflowIsActiveAndNotRerunableError',
    'Unable to rerun workflow because it is not in a completed state.',
  );

export const notRerunnable = (requests: readonly string[]): ConductorError =>
  new ConductorError(
    'InvalidTaskRerunRequest',
    `Unable to rerun task|route(s) because it doesn't exist or isn't rerunnable: ${requests.join(', ')}`,
  );
