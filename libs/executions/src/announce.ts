import {
  executionChange,
  executionOutput,
  executionStatus,
  runnerControl,
  type Message,
  type Publisher,
} from '@switchyard/messaging';
import type { ExecutionRecord, OutputRecord } from '@switchyard/model';
import { DEFAULT_POOL } from './request';

/** Tells the others what has changed. A message that is lost is made up for by the sweep: nobody waits for these. */
export interface Announcer {
  created(record: ExecutionRecord): void;
  /** The record entered the status that it has. */
  moved(record: ExecutionRecord): void;
  /** The record changed, its status did not. */
  updated(record: ExecutionRecord): void;
  output(chunks: readonly OutputRecord[]): void;
  /** Tells the runner that has claimed it to stop the work. */
  stop(record: ExecutionRecord): void;
  /** Sends those who have to act on the record the message of its present status once more. */
  remind(record: ExecutionRecord): void;
}

interface Logger {
  warn(message: string, fields?: Record<string, unknown>): void;
}

export function createAnnouncer(publisher: Publisher, logger: Logger): Announcer {
  const send = (messages: Message[]) => {
    publisher.publishAll(messages).catch((error: unknown) => {
      logger.warn('A message could not be sent; the sweep will make up for it.', { error });
    });
  };
  return {
    created: (record) => send([change(record, 'create'), status(record)]),
    moved: (record) => send([change(record, 'update'), ...statuses(record)]),
    updated: (record) => send([change(record, 'update')]),
    stop: ({ _id, claim }) => {
      if (claim) send([runnerControl({ instance: claim.instance, verb: 'cancel', id: _id, claim: claim.number })]);
    },
    output: (chunks) => send(chunks.map(written)),
    remind: (record) => send(reminders(record)),
  };
}

const pointer = (record: ExecutionRecord) => ({
  id: record._id,
  ref: record.action_ref,
  status: record.status,
  revision: record.revision,
  trace: traceOf(record),
});

/** Tells of the execution and of its live action: they are one record. */
const change = (record: ExecutionRecord, verb: 'create' | 'update'): Message =>
  executionChange({
    ...pointer(record),
    liveaction_id: record.liveaction_id,
    change: verb,
    ...(record.due ? { due: [...record.due] } : {}),
  });

const status = (record: ExecutionRecord): Message =>
  executionStatus({
    ...pointer(record),
    pool: record.pool === DEFAULT_POOL ? null : record.pool,
    ...(record.schedule_at > record.start_timestamp ? { delayed: true } : {}),
  });

/** A status that nobody has to act on needs no message of its own; the change tells of it. */
const statuses = (record: ExecutionRecord): Message[] => (record.status === 'running' ? [] : [status(record)]);

/** What the consumers of `due` listen to. Others do not hear of it: for them nothing has changed. */
const reminders = (record: ExecutionRecord): Message[] => {
  const { due = [] } = record;
  const ended = due.includes('notifier') || due.includes('workflow-engine');
  return [
    ...(due.includes('scheduler') || due.includes('action-runner') ? [status(record)] : []),
    ...(ended ? [change(record, 'update')] : []),
  ];
};

const written = ({ execution_id, sequence, output_type }: OutputRecord): Message =>
  executionOutput({ execution_id, sequence, output_type });

const traceOf = (record: ExecutionRecord): string | null => {
  const trace = record.context['trace_context'] as { trace_tag?: unknown; id_?: unknown } | undefined;
  const text = trace?.trace_tag ?? trace?.id_;
  return typeof text === 'string' ? text.slice(0, 200) : null;
};
