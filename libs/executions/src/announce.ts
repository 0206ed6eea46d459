import {
  executionChange,
  executionOutput,
  executionStatus,
  runnerControl,
  workflowStatus,
  type Message,
  type Publisher,
} from '@switchyard/messaging';
import type { DueConsumer, ExecutionRecord, OutputRecord, Status } from '@switchyard/model';
import { DEFAULT_POOL } from './request';

/** Tells the others what has changed. A message that is lost is made up for by the sweep: nobody waits for these. */
export interface Announcer {
  created(record: ExecutionRecord): void;
  /** The record entered the status that it has. @param atWork whoever is due and acts already: no message tells him */
  moved(record: ExecutionRecord, atWork?: DueConsumer): void;
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
    moved: (record, atWork) => send([change(record, 'update', atWork), ...statuses(record)]),
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

/** Who has to act, of those who learn of it by a change. The others are told by a status. */
const dueByChange = (record: ExecutionRecord): DueConsumer[] =>
  (record.due ?? []).filter(
    (consumer) => consumer === 'notifier' || (consumer === 'workflow-engine' && !commandsEngine(record)),
  );

/** The engines are told by a status then: two messages would set two of them to the same work. */
const commandsEngine = ({ action_is_workflow: isWorkflow, status }: ExecutionRecord): boolean =>
  isWorkflow && status !== 'requested' && COMMANDING.includes(status);

/** Tells of the execution and of its live action: they are one record. */
const change = (record: ExecutionRecord, verb: 'create' | 'update', atWork?: DueConsumer): Message =>
  executionChange({
    ...pointer(record),
    liveaction_id: record.liveaction_id,
    change: verb,
    due: dueByChange(record).filter((consumer) => consumer !== atWork),
  });

/** A workflow that is to begin has been requested of the engines, whatever its execution went through before. */
const status = (record: ExecutionRecord): Message =>
  record.action_is_workflow && !WAITING.includes(record.status)
    ? workflowStatus({ ...pointer(record), status: record.status === 'scheduled' ? 'requested' : record.status })
    : actionStatus(record);

/** Statuses that are the scheduler's business, of workflows too. */
const WAITING: readonly Status[] = ['requested', 'delayed'];

const actionStatus = (record: ExecutionRecord): Message =>
  executionStatus({
    ...pointer(record),
    ...(record.pool === DEFAULT_POOL ? {} : { pool: record.pool }),
    ...(record.schedule_at > record.start_timestamp ? { delayed: true } : {}),
    ...(record.limited ? { limited: true } : {}),
    ...(record.status === 'requested' && record.share !== undefined ? { share: record.share } : {}),
  });

/** These tell somebody to act. Of the others, the change tells. */
const COMMANDING: readonly Status[] = ['requested', 'scheduled', 'canceling', 'pausing', 'resuming'];

const statuses = (record: ExecutionRecord): Message[] => (COMMANDING.includes(record.status) ? [status(record)] : []);

/** What the consumers of `due` listen to. Others do not hear of it: for them nothing has changed. */
const reminders = (record: ExecutionRecord): Message[] => {
  const { due = [] } = record;
  const isForEngine = due.includes('workflow-engine') && commandsEngine(record);
  return [
    ...(due.includes('scheduler') || due.includes('action-runner') || isForEngine ? [status(record)] : []),
    ...(dueByChange(record).length > 0 ? [change(record, 'update')] : []),
  ];
};

const written = ({ execution_id, sequence, output_type }: OutputRecord): Message =>
  executionOutput({ execution_id, sequence, output_type });

const traceOf = (record: ExecutionRecord): string | null => {
  const trace = record.context['trace_context'] as { trace_tag?: unknown; id_?: unknown } | undefined;
  const text = trace?.trace_tag ?? trace?.id_;
  return typeof text === 'string' ? text.slice(0, 200) : null;
};
