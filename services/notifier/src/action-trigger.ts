import { microsToIso } from '@switchyard/base';
import type { ExecutionRecord, Status } from '@switchyard/model';
import { ACTION_TRIGGER, executionKey, type DispatchRequest } from '@switchyard/triggers';

/**
 * Selects the statuses to announce from those that the execution has been in. An earlier status that was not announced
 * yet is announced with a later one; a key identifies those that were.
 */
export const statusesToTell = ({ log }: Pick<ExecutionRecord, 'log'>, emitWhen: readonly string[]): Status[] => [
  ...new Set(log.map(({ status }) => status).filter((status) => emitWhen.includes(status))),
];

/**
 * The payload for an execution that has entered a status; each status is announced once (interface sheet "execution",
 * 15.4).
 */
export const actionTrigger = (
  record: ExecutionRecord,
  status: Status,
  result: Readonly<Record<string, unknown>> | undefined,
): DispatchRequest => ({
  trigger: ACTION_TRIGGER,
  payload: {
    execution_id: record._id,
    status,
    start_timestamp: microsToIso(record.start_timestamp),
    // An old name of the reference; rules compare against it.
    action_name: record.action_ref,
    action_ref: record.action_ref,
    runner_ref: record.runner_name,
    parameters: record.parameters,
    result: result ?? {},
  },
  requestKey: executionKey(record._id, 'status', status),
  validate: false,
});
