import type { Id, Micros } from '@switchyard/base';
import { isTerminal, type ExecutionRecord, type Status } from '@switchyard/model';
import {
  carrierOf,
  spanIdOf,
  type EndedSpan,
  type SpanAttributes,
  type SpanCarrier,
  type SpanContext,
  type SpanRecorder,
} from '@switchyard/telemetry';

/** The spans of executions. All of these do nothing, and give nothing, while OpenTelemetry is off. */
export interface ExecutionSpans {
  readonly recorder: SpanRecorder;
  /** The context of a request with the fields that name the span in which it is made. */
  contextOf(context: Record<string, unknown>, id: Id, workflow: TaskInWorkflow | undefined): Record<string, unknown>;
  /** The span of the whole execution. */
  ofExecution(record: Pick<ExecutionRecord, '_id' | 'context'>): SpanContext | undefined;
  /** The span of its current run by an action runner. */
  ofRun(record: ExecutionRecord): SpanContext | undefined;
  /** Records the spans that end because an execution has entered the status in the record. */
  entered(record: ExecutionRecord): void;
  /** Records the span of a task that has ended. */
  taskEnded(workflow: ExecutionRecord, task: EndedTask): void;
}

export interface TaskInWorkflow {
  readonly task: Id;
  readonly parent: Pick<ExecutionRecord, '_id' | 'context'>;
}

export interface EndedTask {
  readonly id: Id;
  readonly name: string;
  readonly status: string;
  readonly start: Micros;
  readonly end: Micros;
}

/**
 * 1. `context.traceparent` and `context.tracestate` of a record name the span in which the execution was requested. They
 *    outlive every process, and workflow engines derive those of their actions from them.
 * 2. The ids of all other spans are hashes of ids, so that every process knows them.
 * 3. The process that stores a status records the spans that end with it.
 */
export function createExecutionSpans(recorder: SpanRecorder): ExecutionSpans {
  const ofExecution: ExecutionSpans['ofExecution'] = ({ _id, context }) => about(recorder.read(context), _id);
  return {
    recorder,
    contextOf(context, id, workflow) {
      if (!recorder.isOn) return context;
      const { traceparent: _, tracestate: __, ...own } = context;
      return { ...own, ...requestedIn(recorder, id, workflow) };
    },
    ofExecution,
    ofRun: ({ _id, context, log }) => about(recorder.read(context), runSubject(_id, startsIn(log).length)),
    entered(record) {
      const requester = recorder.isOn ? recorder.read(record.context) : undefined;
      if (!requester?.isSampled) return;
      const whole = about(requester, record._id);
      for (const { subject, parent, ...phase } of phasesEndedBy(record, requester, whole))
        recorder.record({ ...phase, context: about(requester, subject), parent, attributes: attributesOf(record) });
    },
    taskEnded(workflow, { id, name, status, start, end }) {
      const whole = ofExecution(workflow);
      if (!whole?.isSampled) return;
      const attributes = { 'svc.task.name': name, 'svc.task.status': status, 'svc.execution.id': workflow._id };
      recorder.record({
        ...{ name: `task ${name}`, kind: 'internal', context: about(whole, id), parent: whole },
        ...{ start, end, attributes, error: errorOf(status) },
      });
    },
  };
}

function about(context: SpanContext, subject: string): SpanContext;
function about(context: SpanContext | undefined, subject: string): SpanContext | undefined;
function about(context: SpanContext | undefined, subject: string): SpanContext | undefined {
  return context && { ...context, spanId: spanIdOf(subject) };
}

/** An execution that nothing known has requested names its own span, with which the trace of OpenTelemetry begins. */
function requestedIn(recorder: SpanRecorder, id: Id, workflow: TaskInWorkflow | undefined): SpanCarrier | undefined {
  const task = workflow && about(recorder.read(workflow.parent.context), workflow.task);
  const requester = task ?? recorder.active() ?? recorder.begin(undefined, spanIdOf(id));
  return requester && carrierOf(requester);
}

interface Phase extends Omit<EndedSpan, 'context' | 'attributes'> {
  /** What the id of the span is made of. */
  readonly subject: string;
}

type Log = ExecutionRecord['log'];

/** The whole execution, and the parts of its way through the services: released, on the way to a runner, run. */
function phasesEndedBy(record: ExecutionRecord, requester: SpanContext, whole: SpanContext): Phase[] {
  const { _id: id, status, log, action_ref: ref, action_is_workflow: isWorkflow } = record;
  const last = log.at(-1);
  const before = log.at(-2);
  if (!last) return [];
  const end = last.timestamp;
  const phases: Phase[] = [];
  const add = (phase: Omit<Phase, 'end' | 'parent'>, parent: SpanContext | undefined = whole) =>
    phases.push({ ...phase, end, parent });
  if (status === 'scheduled')
    add({
      name: `schedule ${ref}`,
      kind: 'producer',
      subject: `${id}:schedule:${log.length}`,
      start: waitingSince(log),
    });
  if (status === 'running' && before?.status === 'scheduled')
    add({
      name: `dispatch ${ref}`,
      kind: 'consumer',
      subject: `${id}:dispatch:${log.length}`,
      start: before.timestamp,
    });
  const run = isWorkflow ? undefined : runEndedBy(record);
  if (run !== undefined)
    add({
      name: `run ${ref}`,
      kind: 'internal',
      subject: runSubject(id, run.number),
      start: run.start,
      error: run.error,
    });
  if (isTerminal(status)) {
    const name = `${isWorkflow ? 'workflow' : 'action'} ${ref}`;
    const parent = requester.spanId === whole.spanId ? undefined : requester;
    phases.push({
      name,
      kind: 'internal',
      subject: id,
      start: record.start_timestamp,
      end,
      parent,
      error: errorOf(status),
    });
  }
  return phases;
}

const WAITING: readonly Status[] = ['requested', 'delayed'];

/** When it began to wait for its release. */
function waitingSince(log: Log): Micros {
  const passed = log.slice(0, -1).findLastIndex(({ status }) => !WAITING.includes(status));
  return log[passed + 1]!.timestamp;
}

/** The starts of runs. The other entries `running` belong to workflows that go on. */
const startsIn = (log: Log): Log =>
  log.filter(({ status }, at) => status === 'running' && log[at - 1]?.status === 'scheduled');

const runSubject = (id: Id, number: number): string => `${id}:run:${number}`;

/** The run that ends with the last entry, by itself or because its runner died and the execution waits again. */
function runEndedBy({
  status,
  log,
}: ExecutionRecord): { number: number; start: Micros; error?: string | undefined } | undefined {
  const isLost = WAITING.includes(status);
  if (!isLost && !isTerminal(status)) return undefined;
  const before = log.slice(0, -1);
  const starts = startsIn(before);
  const start = starts.at(-1);
  if (!start || before.slice(before.indexOf(start)).some((entry) => WAITING.includes(entry.status))) return undefined;
  return { number: starts.length, start: start.timestamp, error: isLost ? 'lost' : errorOf(status) };
}

const FAILURES: readonly string[] = ['failed', 'timeout', 'abandoned'];

const errorOf = (status: string): string | undefined => (FAILURES.includes(status) ? status : undefined);

const attributesOf = (record: ExecutionRecord): SpanAttributes => ({
  'svc.execution.id': record._id,
  'svc.execution.status': record.status,
  'svc.action.ref': record.action_ref,
  'svc.runner.name': record.runner_name,
  'svc.parent.id': record.parent,
});
