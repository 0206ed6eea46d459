import { Type, type Static } from '@sinclair/typebox';
import { DUE_CONSUMERS, STATUSES } from '../execution/statuses';
import { definitionRecordSchema, notifySpec } from './action';
import { anyObject, described, flag, isoTime, micros, oneOfTexts, sortable, text, texts, whole } from './fields';

const status = oneOfTexts(STATUSES);

/**
 * The claim of an action runner on an execution. The number increases with every claim of the same execution. `recoverer` is the runner
 * that cleans up after a dead one.
 */
const claim = Type.Object({ number: whole, instance: text, host: text, pid: whole, recoverer: Type.Optional(text) });
export type Claim = Static<typeof claim>;

/** A process group that an action runner started; absent after it has ended. */
export const processMark = Type.Object({ host: text, pid: whole, start_time: text, boot_id: text });
export type ProcessMark = Static<typeof processMark>;

const statusLogEntry = Type.Object({ status, timestamp: micros });
export type StatusLogEntry = Static<typeof statusLogEntry>;

/** The location of a large value outside of the record. */
export const blobPointer = Type.Object({ id: text, parts: whole, bytes: whole });
export type BlobPointer = Static<typeof blobPointer>;

const runnerInfo = Type.Object({ hostname: text, pid: whole });

/**
 * One execution, as it is stored. The API shows it as an execution and as a live action: two views of this record.
 * Secret values are replaced by masks in `parameters` and `result`; `sealed_*` holds them encrypted.
 */
export const executionRecordSchema = Type.Object({
  _id: sortable(text),
  liveaction_id: sortable(text, { liveaction: '' }),
  status: sortable(status),
  /** Increases by one with every write that changes the visible record. */
  revision: whole,
  action_ref: sortable(text, { action: '' }),
  action_is_workflow: flag,
  runner_name: sortable(text, { runner: '' }),
  /** Content hash of the action and runner definitions at request time; see DefinitionRecord. */
  definition: text,
  parameters: anyObject,
  /** Encrypted `[path, value]` pairs of the secret parts of `parameters`. */
  sealed_parameters: Type.Optional(text),
  /** Names of parameters that are secret because a template copied a secret into them. */
  derived_secrets: Type.Optional(texts),
  /** The result as JSON text, masked; absent until there is one. */
  result: Type.Optional(text),
  result_blob: Type.Optional(blobPointer),
  result_size: Type.Optional(described(whole, 'Bytes of the result')),
  sealed_result: Type.Optional(text),
  context: sortable(anyObject, { user: 'user' }),
  callback: Type.Optional(anyObject),
  notify: Type.Optional(notifySpec),
  runner_info: Type.Optional(runnerInfo),
  delay: Type.Optional(Type.Number({ description: 'Milliseconds to wait before it is scheduled' })),
  parent: sortable(Type.Optional(described(text, 'Id of the parent execution'))),
  /** The outermost workflow around a task; absent if the execution is not a task. */
  root: Type.Optional(text),
  /** The number of executions around it; absent if it has no parent. */
  nesting: Type.Optional(whole),
  has_children: Type.Optional(flag),
  /** About how many executions were requested below it, if it is the root of a tree that is large or nested. */
  tree_size: Type.Optional(whole),
  trigger: sortable(Type.Optional(anyObject), { trigger: 'name' }),
  trigger_type: sortable(Type.Optional(anyObject), { trigger_type: 'name' }),
  trigger_instance: sortable(Type.Optional(anyObject), { trigger_instance: 'id' }),
  rule: sortable(Type.Optional(anyObject), { rule: 'name' }),
  workflow_execution: Type.Optional(text),
  task_execution: Type.Optional(text),
  start_timestamp: sortable(micros, { start_timestamp: '', timestamp: '' }),
  end_timestamp: Type.Optional(micros),
  log: Type.Array(statusLogEntry),
  web_url: text,
  /** The name of a pool of runners, `default` if none was requested. */
  pool: text,
  /** The pool whose slot it occupies at present. */
  slot: Type.Optional(text),
  /** Higher priorities start sooner. */
  priority: whole,
  /** Not before this time; equals `start_timestamp` without a delay. */
  schedule_at: micros,
  /** The queue in which it waits, a `Share`; absent in records of earlier versions. */
  share: Type.Optional(text),
  /** True if the action may run twice: then an execution of a dead runner is started again. */
  idempotent: flag,
  /** The group of a policy whose limit it waits for; see LimitRecord. */
  waits_on: Type.Optional(text),
  waiting_for: Type.Optional(described(text, 'The reason why it waits')),
  /** True if a policy limited it when it was requested: a process that finds no such policy has outdated ones. */
  limited: Type.Optional(Type.Literal(true)),
  /** True if a policy may retry it after its end. */
  retries: Type.Optional(Type.Literal(true)),
  due: Type.Optional(Type.Array(oneOfTexts(DUE_CONSUMERS))),
  due_at: Type.Optional(micros),
  request_key: Type.Optional(text),
  claim: Type.Optional(claim),
  process: Type.Optional(processMark),
});
export type ExecutionRecord = Static<typeof executionRecordSchema>;

const stored = executionRecordSchema.properties;
const { action, runner } = definitionRecordSchema.properties;
const { idempotent: _idempotent, content_hash: _hash, ...shownOfAction } = action.properties;
/** Empty until it runs. */
const runnerInfoAnswer = Type.Partial(runnerInfo, { title: 'RunnerInfo' });

/** The part of an execution about its live action. */
const linkedLiveaction = Type.Object(
  {
    id: text,
    action: text,
    action_is_workflow: flag,
    parameters: anyObject,
    callback: anyObject,
    runner_info: runnerInfoAnswer,
    notify: Type.Optional(notifySpec),
  },
  { title: 'LinkedLiveAction' },
);

const actionOfExecution = Type.Object(shownOfAction, {
  title: 'ActionOfExecution',
  description: 'The action as it was when the execution was requested',
});

const statusChange = Type.Object({ status, timestamp: isoTime }, { title: 'StatusChange' });

/** An execution as the API shows it; omits attributes that are falsy or not requested. */
export const executionAnswer = Type.Object(
  {
    id: text,
    action: actionOfExecution,
    runner: Type.Optional(runner),
    liveaction: Type.Optional(linkedLiveaction),
    status,
    start_timestamp: isoTime,
    end_timestamp: Type.Optional(isoTime),
    elapsed_seconds: Type.Optional(Type.Number()),
    parameters: Type.Optional(anyObject),
    result: Type.Optional(Type.Unsafe<unknown>({ description: 'In the form that the runner of the action returns' })),
    result_size: stored.result_size,
    context: Type.Optional(anyObject),
    log: Type.Optional(Type.Array(statusChange)),
    waiting_for: stored.waiting_for,
    web_url: Type.Optional(text),
    delay: stored.delay,
    parent: stored.parent,
    children: Type.Optional(texts),
    trigger: stored.trigger,
    trigger_type: stored.trigger_type,
    trigger_instance: stored.trigger_instance,
    rule: stored.rule,
    workflow_execution: stored.workflow_execution,
    task_execution: stored.task_execution,
  },
  { title: 'Execution' },
);
type WholeExecution = Static<typeof executionAnswer>;
/** An execution, or the attributes of one that a client has selected. Its action has at least the reference. */
export type Execution = Omit<WholeExecution, 'action' | 'runner'> & {
  action: Pick<WholeExecution['action'], 'ref'> & Partial<WholeExecution['action']>;
  runner?: Partial<NonNullable<WholeExecution['runner']>>;
};

/** The same record as a live action. */
export const liveactionAnswer = Type.Object(
  {
    id: text,
    action: described(text, 'Reference of the action'),
    action_is_workflow: flag,
    status,
    start_timestamp: isoTime,
    end_timestamp: Type.Optional(isoTime),
    parameters: anyObject,
    result: Type.Unsafe<unknown>({ description: 'In the form that the runner of the action returns' }),
    context: anyObject,
    callback: anyObject,
    runner_info: runnerInfoAnswer,
    notify: stored.notify,
    delay: stored.delay,
    workflow_execution: stored.workflow_execution,
    task_execution: stored.task_execution,
  },
  { title: 'LiveAction' },
);

/** A question that waits for a response. */
export const inquiryAnswer = Type.Object(
  {
    id: text,
    route: text,
    ttl: described(whole, 'Minutes until it expires; 0: never'),
    users: texts,
    roles: texts,
    schema: described(anyObject, 'JSON Schema of the response'),
  },
  { title: 'Inquiry' },
);
export type Inquiry = Static<typeof inquiryAnswer>;

/** A chunk of output, up to 64 kB, in the order of `sequence` within its execution. */
export const outputRecordSchema = Type.Object({
  _id: text,
  execution_id: text,
  sequence: whole,
  output_type: text,
  data: text,
  timestamp: micros,
  action_ref: text,
  runner_ref: text,
});
export type OutputRecord = Static<typeof outputRecordSchema>;
