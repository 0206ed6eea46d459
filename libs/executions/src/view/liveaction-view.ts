import { microsToIso } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import type { ViewParts } from './execution-view';

/** The same record as a live action: what the services move around. */
export function liveactionView(
  record: ExecutionRecord,
  { parameters, result }: Pick<ViewParts, 'parameters' | 'result'>,
): Record<string, unknown> {
  const optional = {
    end_timestamp: record.end_timestamp === undefined ? undefined : microsToIso(record.end_timestamp),
    notify: record.notify,
    delay: record.delay,
    workflow_execution: record.workflow_execution,
    task_execution: record.task_execution,
  };
  return {
    id: record.liveaction_id,
    action: record.action_ref,
    action_is_workflow: record.action_is_workflow,
    status: record.status,
    start_timestamp: microsToIso(record.start_timestamp),
    parameters,
    result: result ?? {},
    context: record.context,
    callback: record.callback ?? {},
    runner_info: record.runner_info ?? {},
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}
