import { microsToIso, SECOND_MICROS } from '@switchyard/base';
import type { DefinitionRecord, ExecutionRecord } from '@switchyard/model';
import { actionOf, runnerOf } from './definition-view';

/** What a view is made of, besides the record. */
export interface ViewParts {
  definition: DefinitionRecord;
  parameters: Record<string, unknown>;
  /** The result, where it is wanted and there is one. */
  result?: Record<string, unknown>;
  children?: readonly string[];
}

/** An execution as the API, the stream and the command line show it. Falsy attributes are left out. */
export function executionView(record: ExecutionRecord, parts: ViewParts): Record<string, unknown> {
  return withoutEmpty({
    id: record._id,
    action: actionOf(parts.definition),
    runner: runnerOf(parts.definition),
    liveaction: linkedLiveaction(record, parts),
    status: record.status,
    start_timestamp: microsToIso(record.start_timestamp),
    ...(record.end_timestamp === undefined
      ? {}
      : {
          end_timestamp: microsToIso(record.end_timestamp),
          elapsed_seconds: elapsedSeconds(record.start_timestamp, record.end_timestamp),
        }),
    parameters: parts.parameters,
    result: parts.result,
    result_size: record.result_size,
    context: record.context,
    log: record.log.map(({ status, timestamp }) => ({ status, timestamp: microsToIso(timestamp) })),
    web_url: record.web_url,
    delay: record.delay,
    parent: record.parent,
    children: parts.children,
    trigger: record.trigger,
    trigger_type: record.trigger_type,
    trigger_instance: record.trigger_instance,
    rule: record.rule,
    workflow_execution: record.workflow_execution,
    task_execution: record.task_execution,
  });
}

/** The part of an execution that tells about its live action. */
const linkedLiveaction = (record: ExecutionRecord, { parameters }: ViewParts) => ({
  id: record.liveaction_id,
  action: record.action_ref,
  action_is_workflow: record.action_is_workflow,
  parameters,
  callback: record.callback ?? {},
  runner_info: record.runner_info ?? {},
  ...(record.notify ? { notify: record.notify } : {}),
});

const elapsedSeconds = (start: number, end: number): number => Math.max(end - start, 1) / SECOND_MICROS;

const withoutEmpty = (view: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => !isEmpty(value)));

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
