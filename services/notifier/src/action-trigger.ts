import { microsToIso } from '@switchyard/base';
import type { ExecutionRecord, Status } from '@switchyard/model';
import { ACTION_TRIGGER, executionKey, type DispatchRequest } from '@switchyard/triggers';

/**
 * The statuses that are to be told of, of those that the execution has been in. An earlier one that nobody has told of yet
 * is made up for with a later one; one that was told of is known by its key.
 */
export const statusesToTell = ({ log }: Pick<ExecutionRecord, 'log'>, emitWhen: readonly string[]): Status[] => [
  ...new Set(log.map(({ status }) => status).filter((status) => emitWhen.includes(status))),
];

/** What is told about an execution that has entered a status, once for each (interface sheet "execution", 15.4). */
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
    // A name of old for the reference; rules compare it with one.
    action_name: record.action_ref,
    action_ref: record.action_ref,
    runner_ref: record.runner_name,
    parameters: record.parameters,
    result: result ?? {},
  },
  requestKey: executionKey(record._id, 'status', status),
  validate: false,
});
