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
import type { Auditor } from './audit';
import { DEFAULT_POOL } from './execution-record';
import type { Permits } from './eager-start';

/**
 * Announces changes of executions to other services with messages, and to the audit log and the metrics of this
 * process. Does not wait for the messages. The sweep resends lost ones.
 */
export interface Announcer {
  /** The execution was stored, and entered these statuses with the same write. */
  created(...states: readonly [ExecutionRecord, ...ExecutionRecord[]]): void;
  /** The stored execution has entered these statuses with one write. */
  movedOn(...states: readonly [ExecutionRecord, ...ExecutionRecord[]]): void;
  /** The execution has entered the status in the record. */
  moved(record: ExecutionRecord, about?: AboutMove): void;
  /** The same for many executions. If no service has to act on them, one message covers up to forty. */
  movedTogether(moves: readonly MoveOfMany[]): void;
  output(chunks: readonly OutputRecord[]): void;
  /** Sends the action runner that has claimed it the request to stop. */
  stop(record: ExecutionRecord): void;
  /** Sends the message of the current status again to the services that have to act on it. */
  remind(record: ExecutionRecord): void;
}

export interface AboutMove {
  /** A consumer that is due and already at work, which needs no message. */
  readonly atWork?: DueConsumer | undefined;
  /** False when the move makes no room for another execution: then schedulers get no message. */
  readonly freesRoom?: boolean;
}

export interface MoveOfMany extends AboutMove {
  readonly record: ExecutionRecord;
}

interface Logger {
  warn(message: string, fields?: Record<string, unknown>): void;
}

/** Observers within this process. */
export interface Observers {
  /** Without one, nothing is written to the audit log. */
  auditor?: Auditor | undefined;
  onStatus?: ((status: Status) => void) | undefined;
  /** Called for each status that an execution enters, with the record at that time. */
  onEntered?: ((record: ExecutionRecord) => void) | undefined;
  /** Names this process in the messages of requests that wait for a scheduler, which may then send permits for the next
   * ones, and in that of a request that leaves few permits. */
  permits?: Pick<Permits, 'requester' | 'renewal'> | undefined;
}

export function createAnnouncer(
  publisher: Publisher,
  logger: Logger,
  { auditor, onStatus, onEntered, permits }: Observers = {},
): Announcer {
  const send = (messages: Message[]) => {
    publisher.publishAll(messages).catch((error: unknown) => {
      logger.warn('Failed to send a message; the sweep will send it again.', { error });
    });
  };
  const note = (states: readonly ExecutionRecord[]) => {
    for (const record of states) {
      onStatus?.(record.status);
      onEntered?.(record);
      auditor?.moved(record);
    }
  };
  const permitted = ({ pool }: ExecutionRecord): AboutStatus => permits?.renewal(pool) ?? { isHandled: true };
  return {
    created(requested, ...later) {
      onStatus?.(requested.status);
      onEntered?.(requested);
      auditor?.requested(requested);
      note(later);
      send([
        change(requested, 'create'),
        status(requested, later.length > 0 ? permitted(requested) : { permitsFor: permits?.requester }),
        ...inSequence(later),
      ]);
    },
    movedOn(...states) {
      note(states);
      send(inSequence(states));
    },
    moved(record, about) {
      note([record]);
      send([change(record, 'update', about), ...statuses(record)]);
    },
    movedTogether(moves) {
      note(moves.map(({ record }) => record));
      send(changesOf(moves));
    },
    stop: ({ _id, claim }) => {
      if (claim) send([runnerControl({ instance: claim.instance, verb: 'cancel', id: _id, claim: claim.number })]);
    },
    output: (chunks) => send(chunks.map(written)),
    remind: (record) => send(reminders(record)),
  };
}

/** As many as fit into a message of 4 kB, also with a long reference and a long trace tag. */
const IN_ONE_MESSAGE = 40;

/** Executions of one list of items have the same action, status, revision and trace, so one message covers many of them. */
function changesOf(moves: readonly MoveOfMany[]): Message[] {
  const single: Message[] = [];
  const alike = new Map<string, MoveOfMany[]>();
  for (const move of moves) {
    const { record, atWork, freesRoom } = move;
    if (freesRoom !== false || dueByChange(record).some((name) => name !== atWork)) {
      single.push(change(record, 'update', move), ...statuses(record));
      continue;
    }
    single.push(...statuses(record, { isHandled: atWork === 'workflow-engine' && commandsEngine(record) }));
    const key = JSON.stringify([record.action_ref, record.status, record.revision, traceOf(record)]);
    const group = alike.get(key);
    if (group) group.push(move);
    else alike.set(key, [move]);
  }
  return [...single, ...[...alike.values()].flatMap(bulkChanges)];
}

function bulkChanges(moves: readonly MoveOfMany[]): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at < moves.length; at += IN_ONE_MESSAGE) {
    const [first, ...others] = moves.slice(at, at + IN_ONE_MESSAGE);
    messages.push(
      change(
        first!.record,
        'update',
        first,
        others.map(({ record }) => record),
      ),
    );
  }
  return messages;
}

const pointer = (record: ExecutionRecord) => ({
  id: record._id,
  ref: record.action_ref,
  status: record.status,
  revision: record.revision,
  trace: traceOf(record),
});

/** The consumers that learn from a change message that they are due. The others get a status message. */
const dueByChange = (record: ExecutionRecord): DueConsumer[] =>
  (record.due ?? []).filter(
    (consumer) => consumer === 'notifier' || (consumer === 'workflow-engine' && !commandsEngine(record)),
  );

/** Then engines get only a status message: with two messages, two engines would do the same work. */
const commandsEngine = ({ action_is_workflow: isWorkflow, status }: ExecutionRecord): boolean =>
  isWorkflow && status !== 'requested' && COMMANDING.includes(status);

/** A change of the execution and of its live action, which are one record. */
const change = (
  record: ExecutionRecord,
  verb: 'create' | 'update',
  { atWork, freesRoom = true }: AboutMove = {},
  others: readonly ExecutionRecord[] = [],
): Message => {
  const due = dueByChange(record).filter((consumer) => consumer !== atWork);
  const { liveaction_id: liveaction, workflow_execution: workflow } = record;
  return executionChange(
    {
      ...{ ...pointer(record), liveaction_id: liveaction, change: verb, due },
      ...(workflow !== undefined && due.includes('workflow-engine') ? { workflow } : {}),
      ...(others.length > 0 ? { others: others.map((each): [string, string] => [each._id, each.liveaction_id]) } : {}),
    },
    freesRoom,
  );
};

interface AboutStatus {
  /** The step that the status requires has already been taken. */
  readonly isHandled?: boolean;
  /** The process that would use permits for its next requests. */
  readonly permitsFor?: string | undefined;
  /** How many it still has. */
  readonly permitsLeft?: number;
}

/** Engines see a workflow as `requested` when it may begin, whatever statuses its execution had before. */
const status = (record: ExecutionRecord, about: AboutStatus = {}): Message =>
  record.action_is_workflow && !WAITING.includes(record.status)
    ? workflowStatus(
        { ...pointer(record), status: record.status === 'scheduled' ? 'requested' : record.status },
        about.isHandled,
      )
    : actionStatus(record, about);

/** Statuses that concern the scheduler, also those of workflows. */
const WAITING: readonly Status[] = ['requested', 'delayed'];

const actionStatus = (record: ExecutionRecord, { isHandled, permitsFor, permitsLeft }: AboutStatus): Message =>
  executionStatus(
    {
      ...pointer(record),
      ...(record.pool === DEFAULT_POOL ? {} : { pool: record.pool }),
      ...(record.schedule_at > record.start_timestamp ? { delayed: true } : {}),
      ...(record.limited ? { limited: true } : {}),
      ...(record.status === 'requested' && record.share !== undefined ? { share: record.share } : {}),
      ...(permitsFor === undefined ? {} : { permits_for: permitsFor }),
      ...(permitsLeft === undefined ? {} : { permits_left: permitsLeft }),
    },
    isHandled,
  );

/** Statuses that require a service to act. For the others, the change message is enough. */
const COMMANDING: readonly Status[] = ['requested', 'scheduled', 'canceling', 'pausing', 'resuming'];

const statuses = (record: ExecutionRecord, about?: AboutStatus): Message[] =>
  COMMANDING.includes(record.status) ? [status(record, about)] : [];

/** The messages about statuses that were entered with one write: only the last one requires action. */
const inSequence = (states: readonly ExecutionRecord[]): Message[] =>
  states.flatMap((record, index) => [
    change(record, 'update'),
    ...statuses(record, { isHandled: index < states.length - 1 }),
  ]);

/** Messages for the consumers in `due` only, because nothing has changed for other receivers. */
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
