import { microsToIso, type Micros } from '@switchyard/base';
import { isFailure, type ExecutionRecord, type NotifySection, type NotifySpec } from '@switchyard/model';
import { executionKey, NOTIFY_TRIGGER, type DispatchRequest } from '@switchyard/triggers';

const DEFAULT_ROUTE = 'notify.default';

export type SectionName = keyof NotifySpec;

const VERB: Readonly<Record<SectionName, string>> = {
  'on-complete': 'completed',
  'on-success': 'succeeded',
  'on-failure': 'failed',
};

/** The sections of a notify specification that apply to an ended execution. */
export function sectionsFor({ status }: Pick<ExecutionRecord, 'status'>, notify: NotifySpec = {}): SectionName[] {
  const wanted: SectionName[] = ['on-complete'];
  if (status === 'succeeded') wanted.push('on-success');
  if (isFailure(status)) wanted.push('on-failure');
  return wanted.filter((name) => notify[name] !== undefined);
}

/** The message and data of a section after rendering. */
export interface RenderedSection {
  message: string;
  data: Record<string, unknown>;
}

export const defaultMessage = (record: Pick<ExecutionRecord, 'action_ref'>, section: SectionName): string =>
  `Action ${record.action_ref} ${VERB[section]}.`;

/** The routes of a section, without duplicates. Older metadata calls them `channels`. */
export function routesOf({ routes, channels }: NotifySection & { channels?: readonly string[] }): (string | null)[] {
  const named = routes?.length ? routes : (channels ?? []);
  return named.length > 0 ? [...new Set(named)] : [DEFAULT_ROUTE];
}

/**
 * The request for one route. The request key makes a second attempt at the same notification find the first one.
 * @param now end time for an execution that has none
 */
export const notification = (
  record: ExecutionRecord,
  { section, route }: { section: SectionName; route: string | null },
  rendered: RenderedSection,
  now: Micros,
): DispatchRequest => ({
  trigger: NOTIFY_TRIGGER,
  payload: {
    ...rendered,
    execution_id: record._id,
    status: record.status,
    start_timestamp: microsToIso(record.start_timestamp),
    end_timestamp: microsToIso(record.end_timestamp ?? now),
    action_ref: record.action_ref,
    runner_ref: record.runner_name,
    route,
    channel: route,
  },
  requestKey: executionKey(record._id, section, String(route)),
  validate: false,
});
