import { microsToIso, newId, type Micros } from '@switchyard/base';
import {
  isFailure,
  type ExecutionRecord,
  type NotifySection,
  type NotifySpec,
  type TriggerInstanceRecord,
} from '@switchyard/model';

/** The trigger that chat bots and rules listen to. */
export const NOTIFY_TRIGGER = 'core.st2.generic.notifytrigger';

const DEFAULT_ROUTE = 'notify.default';

export type SectionName = keyof NotifySpec;

const VERB: Readonly<Record<SectionName, string>> = {
  'on-complete': 'completed',
  'on-success': 'succeeded',
  'on-failure': 'failed',
};

/** The sections of a notify specification that an ended execution calls for. */
export function sectionsFor({ status, notify = {} }: ExecutionRecord): SectionName[] {
  const wanted: SectionName[] = ['on-complete'];
  if (status === 'succeeded') wanted.push('on-success');
  if (isFailure(status)) wanted.push('on-failure');
  return wanted.filter((name) => notify[name] !== undefined);
}

/** Texts in which a section's message and data stand after rendering. */
export interface RenderedSection {
  message: string;
  data: Record<string, unknown>;
}

export const defaultMessage = (record: ExecutionRecord, section: SectionName): string =>
  `Action ${record.action_ref} ${VERB[section]}.`;

/**
 * One trigger instance for each route of a section. The request key makes a second try of the same notification find
 * the first one.
 */
export function notifications(
  record: ExecutionRecord,
  section: SectionName,
  spec: NotifySection,
  rendered: RenderedSection,
  now: Micros,
): TriggerInstanceRecord[] {
  const routes = spec.routes?.length ? spec.routes : [DEFAULT_ROUTE];
  return routes.map((route) => ({
    _id: newId(),
    trigger: NOTIFY_TRIGGER,
    occurrence_time: now,
    status: 'pending',
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
    ...(record.context['trace_context']
      ? { trace_context: record.context['trace_context'] as Record<string, unknown> }
      : {}),
    request_key: `${record._id}:${section}:${route}`,
    due: ['rules-engine'],
    due_at: now,
  }));
}
