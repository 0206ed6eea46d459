import { Type, type Static } from '@sinclair/typebox';
import { DUE_FOR_ENGINE } from '../topology';
import {
  bodyOf,
  changeField,
  idField,
  messageKind,
  refField,
  revisionField,
  statusField,
  traceField,
  type Message,
  type MessageFields,
} from './message-kind';

/** The record of an execution was written. The message covers both of its views, execution and live action. */
export const executionChangeKind = messageKind({
  type: 'execution-change',
  exchanges: ['execution'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('execution-change'),
    change: changeField(),
    id: idField(),
    liveaction_id: idField(),
    ref: refField(),
    status: statusField(),
    revision: revisionField(),
    /** Which services had to act on the record when this was sent, so that others need not read it. */
    due: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 16 })),
    /** The run that it is an action of, if workflow engines have to act on it. */
    workflow: Type.Optional(idField()),
    /** Further executions with the same change and otherwise equal members: pairs of `id` and `liveaction_id`. */
    others: Type.Optional(Type.Array(Type.Tuple([idField(), idField()]), { maxItems: 49 })),
    trace: traceField(),
  }),
});

export type ExecutionChangeMessage = Static<typeof executionChangeKind.schema>;

/**
 * An update that needs no action has the routing key `update.<status>`, which only watch queues bind; the work queues bind `update`,
 * and those of the engines also `update.due.workflow-engine`, if the others have nothing to do.
 * If it also makes no room for other executions, the key is `update.<status>.roomless`, which the schedulers do not bind.
 */
export function executionChange(
  fields: MessageFields<ExecutionChangeMessage>,
  freesRoom = true,
): Message<ExecutionChangeMessage> {
  return { exchange: 'execution', routingKey: changeKey(fields, freesRoom), body: bodyOf(executionChangeKind, fields) };
}

function changeKey({ change, due = [], status }: MessageFields<ExecutionChangeMessage>, freesRoom: boolean): string {
  if (change !== 'update') return change;
  if (due.length === 0) return `update.${status}${freesRoom ? '' : '.roomless'}`;
  return due.every((consumer) => consumer === 'workflow-engine') ? DUE_FOR_ENGINE : 'update';
}

/** A chunk of output was stored. Receivers read it by execution and sequence number. */
export const executionOutputKind = messageKind({
  type: 'execution-output',
  exchanges: ['execution.output'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('execution-output'),
    execution_id: idField(),
    sequence: Type.Integer({ minimum: 0 }),
    output_type: Type.String({ minLength: 1, maxLength: 32 }),
    trace: traceField(),
  }),
});

export type ExecutionOutputMessage = Static<typeof executionOutputKind.schema>;

export function executionOutput(fields: MessageFields<ExecutionOutputMessage>): Message<ExecutionOutputMessage> {
  return { exchange: 'execution.output', routingKey: 'create', body: bodyOf(executionOutputKind, fields) };
}

/** An execution reached a status that needs action. `id` is that of the execution, `ref` that of the action. */
export const executionStatusKind = messageKind({
  type: 'execution-status',
  exchanges: ['liveaction.status'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('execution-status'),
    id: idField(),
    ref: refField(),
    status: statusField(),
    revision: revisionField(),
    /** With `requested`: the execution has a delay. */
    delayed: Type.Optional(Type.Boolean()),
    /** With `requested`: a policy limits how many such executions may run. */
    limited: Type.Optional(Type.Boolean()),
    /** The pool of the runners that may run it. Absent for the default pool. */
    pool: Type.Optional(Type.String()),
    /** With `requested`: the share in which it waits if no runner has room. */
    share: Type.Optional(Type.String({ maxLength: 256 })),
    /** With `requested`: the process that requested it, which would use permits for the next ones. */
    permits_for: Type.Optional(idField()),
    /** With `requested`: it needs no release, since the process had a permit. This many are left, and it would use more. */
    permits_left: Type.Optional(Type.Integer({ minimum: 0 })),
    trace: traceField(),
  }),
});

export type ExecutionStatusMessage = Static<typeof executionStatusKind.schema>;

/**
 * The work queues bind the status, or `scheduled.<pool>`.
 * @param isHandled whether the step that the status requires has already been taken. Then the routing key is
 * `handled.<status>`, which no work queue binds.
 */
export function executionStatus(
  fields: MessageFields<ExecutionStatusMessage>,
  isHandled = false,
): Message<ExecutionStatusMessage> {
  const { status, pool } = fields;
  const key = status === 'scheduled' && pool !== undefined ? `scheduled.${pool}` : status;
  return {
    exchange: 'liveaction.status',
    routingKey: isHandled ? `handled.${status}` : key,
    body: bodyOf(executionStatusKind, fields),
  };
}

/** A request to the action runner that has claimed an execution. `claim` is the number of that claim. */
export const runnerControlKind = messageKind({
  type: 'runner-control',
  exchanges: ['actionrunner.control'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('runner-control'),
    verb: Type.Union([Type.Literal('cancel'), Type.Literal('pause'), Type.Literal('resume')]),
    id: idField(),
    claim: Type.Integer({ minimum: 0 }),
    trace: traceField(),
  }),
});

export type RunnerControlMessage = Static<typeof runnerControlKind.schema>;

/** @param fields.instance the runner process, as in `controlQueue(instance)` */
export function runnerControl({
  instance,
  ...fields
}: MessageFields<RunnerControlMessage> & { readonly instance: string }): Message<RunnerControlMessage> {
  return { exchange: 'actionrunner.control', routingKey: instance, body: bodyOf(runnerControlKind, fields) };
}

/**
 * Permits for a process that requests executions: it may store this many of them as scheduled, without waiting for a
 * scheduler. They are added to those it has; zero revokes them all.
 */
export const releasePermitsKind = messageKind({
  type: 'release-permits',
  exchanges: ['scheduler.permits'],
  schema: Type.Object({
    v: Type.Integer(),
    type: Type.Literal('release-permits'),
    pool: Type.String({ minLength: 1, maxLength: 64 }),
    count: Type.Integer({ minimum: 0, maximum: 1000 }),
    /** Milliseconds from the arrival. */
    valid_ms: Type.Integer({ minimum: 0 }),
    trace: traceField(),
  }),
});

export type ReleasePermitsMessage = Static<typeof releasePermitsKind.schema>;

/** @param fields.requester the process, as in `permitQueue(requester)` */
export function releasePermits({
  requester,
  ...fields
}: MessageFields<ReleasePermitsMessage> & { readonly requester: string }): Message<ReleasePermitsMessage> {
  return { exchange: 'scheduler.permits', routingKey: requester, body: bodyOf(releasePermitsKind, fields) };
}
