/** How one measurement is taken and shown. */
export interface MetricRow {
  /** A counted timer is a counter and a timer of one name; its histogram in Prometheus has the count within. */
  readonly kind: 'counter' | 'timer' | 'counted timer' | 'gauge';
  /** When it is taken: the text of documentation and of the Prometheus page. */
  readonly when: string;
  /** Its name on the Prometheus page. Without one, it is a sum of other rows there. */
  readonly prometheus?: string;
  /** Makes it a row of the Prometheus page only, with these labels: too many combinations for flat names. */
  readonly labels?: readonly string[];
  /** For what may take hours. */
  readonly long?: boolean;
}

/**
 * Every measurement, by its flat name without prefix (interface sheet "execution", section 18.1). Values of
 * `{placeholders}` come from small sets, never from what a user sends: a registered action, a status, an operation.
 */
export const metricTable = {
  'action.executions': {
    kind: 'counted timer',
    when: 'An action runner has worked on an execution: from its claim to its recorded end, once for each run',
  },
  'action.{action}.executions': {
    kind: 'counted timer',
    when: 'The same, by action',
    prometheus: 'svc_action_executions_seconds',
    long: true,
  },
  'action.executions.process.{status}': {
    kind: 'counted timer',
    when: 'An action runner has handled a message: claimed an execution (scheduled), or seen to its cancel (canceling)',
    prometheus: 'svc_action_executions_process_seconds',
  },
  'action.executions.{status}': {
    kind: 'counter',
    when: 'An execution has entered the status',
    prometheus: 'svc_action_executions_entered_total',
  },
  'action.executions.update_status': {
    kind: 'timer',
    when: 'An action runner has written the end of a run, with its result',
    prometheus: 'svc_action_executions_update_status_seconds',
  },
  'executions.{status}': {
    kind: 'gauge',
    when: 'Executions in a status that is not final, in the whole system: each scheduler counts every ten seconds',
    prometheus: 'svc_executions',
  },
  'scheduler.handle_execution': {
    kind: 'counted timer',
    when: 'A scheduler has released an execution to the action runners',
    prometheus: 'svc_scheduler_handle_execution_seconds',
  },
  'actionrunner.slots.total': {
    kind: 'gauge',
    when: 'Executions that the action runners can work on at a time',
    prometheus: 'svc_actionrunner_slots',
  },
  'actionrunner.slots.used': {
    kind: 'gauge',
    when: 'Slots in use',
    prometheus: 'svc_actionrunner_slots_used',
  },
  'orquesta.workflow.executions': {
    kind: 'counted timer',
    when: 'A workflow or an action chain has ended: from its beginning to its recorded end',
    prometheus: 'svc_workflow_executions_seconds',
    long: true,
  },
  'orquesta.action.executions': {
    kind: 'counted timer',
    when: 'A workflow engine has dealt with the end of an action of a workflow, and what follows is requested',
    prometheus: 'svc_workflow_action_ends_seconds',
  },
  'workflowengine.runs': {
    kind: 'gauge',
    when: 'Workflows that an engine has at hand',
    prometheus: 'svc_workflowengine_runs',
  },
  'sensorcontainer.sensors': {
    kind: 'gauge',
    when: 'Sensor processes that run',
    prometheus: 'svc_sensorcontainer_sensors',
  },
  'sensorcontainer.exits': {
    kind: 'counter',
    when: 'A sensor process has ended by itself',
    prometheus: 'svc_sensorcontainer_exits_total',
  },
  'sensorcontainer.dispatch': {
    kind: 'counted timer',
    when: 'An event of a sensor is stored and announced',
    prometheus: 'svc_sensorcontainer_dispatch_seconds',
  },
  'notifier.action.executions': {
    kind: 'counted timer',
    when: 'The notifier has dealt with an execution of which somebody has to be told',
    prometheus: 'svc_notifier_action_executions_seconds',
  },
  'notifier.notify_trigger.post': {
    kind: 'counted timer',
    when: 'The notifications of one section (on-success, on-failure, on-complete) are out',
    prometheus: 'svc_notifier_notify_trigger_post_seconds',
  },
  'notifier.notify_trigger.dispatch': {
    kind: 'counted timer',
    when: 'The notification for one route is stored and announced',
    prometheus: 'svc_notifier_notify_trigger_dispatch_seconds',
  },
  'notifier.generic_trigger.post': {
    kind: 'counted timer',
    when: 'Rules that listen to ended executions are told of one',
    prometheus: 'svc_notifier_generic_trigger_post_seconds',
  },
  'notifier.generic_trigger.dispatch': {
    kind: 'counted timer',
    when: 'The same, for one status: the trigger instance is stored and announced',
    prometheus: 'svc_notifier_generic_trigger_dispatch_seconds',
  },
  'notifier.transform_message': {
    kind: 'timer',
    when: 'Message and data of a section are rendered',
    prometheus: 'svc_notifier_transform_message_seconds',
  },
  'timers.fired.{type}': {
    kind: 'counter',
    when: 'A timer has fired (type: IntervalTimer, DateTimer, CronTimer)',
    prometheus: 'svc_timers_fired_total',
  },
  'timers.missed.{type}': {
    kind: 'counter',
    when: 'Ticks of a timer were given up, once for each time that this happens to a timer',
    prometheus: 'svc_timers_missed_total',
  },
  'timers.lateness': {
    kind: 'timer',
    when: 'A timer has fired: how long after its time',
    prometheus: 'svc_timers_lateness_seconds',
  },
  'timers.active': {
    kind: 'gauge',
    when: 'Timers that are going to fire; only the process that fires them has any',
    prometheus: 'svc_timers_active',
  },
  'rule.processed': {
    kind: 'counted timer',
    when: 'A rules engine has dealt with a trigger instance: its rules were asked, and what matched was requested',
    prometheus: 'svc_rule_processed_seconds',
  },
  'trigger.{trigger}.processed': { kind: 'counted timer', when: 'The same, by trigger' },
  'rule.matched': { kind: 'counter', when: 'A rule has matched a trigger instance' },
  'rule.{rule}.matched': {
    kind: 'counter',
    when: 'The same, by rule',
    prometheus: 'svc_rule_matched_total',
  },
  '{service}.request.total': { kind: 'counter', when: 'A request is answered (service: api, auth, stream)' },
  '{service}.request.method.{method}': { kind: 'counter', when: 'The same, by method' },
  '{service}.request.path.{path}': {
    kind: 'counter',
    when: 'The same, by the path of the route: slashes are underscores, `/v1` is in front, names stand for their values',
  },
  '{service}.response.status.{code}': { kind: 'counter', when: 'The same, by status code' },
  '{service}.request': {
    kind: 'counted timer',
    when: 'A request is answered; for streams, when the connection is closed',
  },
  http_requests: {
    kind: 'counter',
    when: 'Requests that are answered',
    prometheus: 'svc_http_requests_total',
    labels: ['service', 'operation', 'method', 'code'],
  },
  http_request: {
    kind: 'timer',
    when: 'Time until a request is answered; for streams, until the connection is closed',
    prometheus: 'svc_http_request_seconds',
    labels: ['service', 'operation'],
    long: true,
  },
  'stream.connections': {
    kind: 'gauge',
    when: 'Event streams that are open',
    prometheus: 'svc_stream_connections',
  },
  'amqp.pool_publisher.publish_with_retries.{exchange}': {
    kind: 'timer',
    when: 'The broker has confirmed a message',
    prometheus: 'svc_amqp_publish_seconds',
  },
  'amqp.publish.{change}': {
    kind: 'timer',
    when: 'The same, for what happened to a record: create, update, delete, or state for a new status',
  },
} as const satisfies Record<string, MetricRow>;

type Table = typeof metricTable;

export type MetricName = keyof Table;

/** The names of one kind or several. */
export type NameOf<Kind extends MetricRow['kind']> = {
  [Name in MetricName]: Table[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

type Placeholders<Text extends string> = Text extends `${string}{${infer Label}}${infer Rest}`
  ? Label | Placeholders<Rest>
  : never;

type LabelName<Name extends MetricName> = Table[Name] extends { readonly labels: readonly (infer Label)[] }
  ? Extract<Label, string>
  : Placeholders<Name>;

/** A value for each label of a measurement. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<LabelName<Name>, string>>;

/** The labels as an argument: none where the name has none. */
export type LabelArguments<Name extends MetricName> = [LabelName<Name>] extends [never] ? [] : [labels: LabelsOf<Name>];

export const rowOf = (name: MetricName): MetricRow => metricTable[name];

const PLACEHOLDER = /\{(\w+)\}/g;

/** The labels of a measurement, in the order of its name. */
export const labelsOf = (name: MetricName): readonly string[] =>
  rowOf(name).labels ?? [...name.matchAll(PLACEHOLDER)].map(([, label = '']) => label);

/** Characters that separate the parts of a line for statsd, or are not printable in a name. */
const NOT_IN_NAMES = /[^\w.-]+/g;

/** `action.{action}.executions` with its labels filled in. */
export const flatName = (name: MetricName, labels: Readonly<Record<string, string>> = {}): string =>
  name.replace(PLACEHOLDER, (_, label: string) => (labels[label] ?? 'unknown').replace(NOT_IN_NAMES, '_'));
