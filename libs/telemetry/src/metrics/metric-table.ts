/** How one measurement is taken and shown. */
export interface MetricRow {
  /** A counted timer is a counter and a timer of the same name. Its histogram in Prometheus includes the count. */
  readonly kind: 'counter' | 'timer' | 'counted timer' | 'gauge';
  /** What is measured, for the documentation and the Prometheus page. */
  readonly when: string;
  /** Its name on the Prometheus page. A row without one is a sum of other rows there. */
  readonly prometheus?: string;
  /** The row is only on the Prometheus page, with these labels, which have too many combinations for flat names. */
  readonly labels?: readonly string[];
  /** It may take hours. */
  readonly long?: boolean;
}

/**
 * All measurements, by their flat names without the prefix. The values of `{placeholders}` come from small sets, such as registered
 * actions, statuses or operations, and never from user input.
 */
export const metricTable = {
  'action.executions': {
    kind: 'counted timer',
    when: 'One run of an execution by an action runner, from the claim to the recorded end',
  },
  'action.{action}.executions': {
    kind: 'counted timer',
    when: 'The same, by action',
    prometheus: 'svc_action_executions_seconds',
    long: true,
  },
  'action.executions.process.{status}': {
    kind: 'counted timer',
    when: 'An action runner handled a message: it claimed an execution (scheduled) or canceled one (canceling)',
    prometheus: 'svc_action_executions_process_seconds',
  },
  'action.executions.{status}': {
    kind: 'counter',
    when: 'An execution entered the status',
    prometheus: 'svc_action_executions_entered_total',
  },
  'action.executions.update_status': {
    kind: 'timer',
    when: 'An action runner stored the end of a run with its result',
    prometheus: 'svc_action_executions_update_status_seconds',
  },
  'executions.{status}': {
    kind: 'gauge',
    when: 'Executions in the whole system whose status is not final; each scheduler counts them every ten seconds',
    prometheus: 'svc_executions',
  },
  'pools.{pool}.waiting': {
    kind: 'gauge',
    when: 'Executions in the whole system that wait for a slot of the pool; each scheduler counts them every ten seconds',
    prometheus: 'svc_pool_waiting',
  },
  'pools.{pool}.waiting.age': {
    kind: 'gauge',
    when: 'How long the first of them has been waiting, in seconds',
    prometheus: 'svc_pool_waiting_age_seconds',
  },
  'pools.{pool}.active': {
    kind: 'gauge',
    when: 'Executions that hold a slot of the pool: they run, or are on their way to an action runner',
    prometheus: 'svc_pool_active',
  },
  'scheduler.handle_execution': {
    kind: 'counted timer',
    when: 'A scheduler released an execution to the action runners',
    prometheus: 'svc_scheduler_handle_execution_seconds',
  },
  'actionrunner.slots.total': {
    kind: 'gauge',
    when: 'Executions that the action runners can run at a time',
    prometheus: 'svc_actionrunner_slots',
  },
  'actionrunner.slots.used': {
    kind: 'gauge',
    when: 'Slots in use',
    prometheus: 'svc_actionrunner_slots_used',
  },
  'orquesta.workflow.executions': {
    kind: 'counted timer',
    when: 'A workflow or action chain, from its start to its recorded end',
    prometheus: 'svc_workflow_executions_seconds',
    long: true,
  },
  'orquesta.action.executions': {
    kind: 'counted timer',
    when: 'A workflow engine processed the end of an action and requested the next ones',
    prometheus: 'svc_workflow_action_ends_seconds',
  },
  'workflowengine.runs': {
    kind: 'gauge',
    when: 'Workflows loaded by an engine',
    prometheus: 'svc_workflowengine_runs',
  },
  'sensorcontainer.sensors': {
    kind: 'gauge',
    when: 'Running sensor processes',
    prometheus: 'svc_sensorcontainer_sensors',
  },
  'sensorcontainer.exits': {
    kind: 'counter',
    when: 'A sensor process exited on its own',
    prometheus: 'svc_sensorcontainer_exits_total',
  },
  'sensorcontainer.dispatch': {
    kind: 'counted timer',
    when: 'An event of a sensor was stored and published',
    prometheus: 'svc_sensorcontainer_dispatch_seconds',
  },
  'notifier.action.executions': {
    kind: 'counted timer',
    when: 'The notifier processed a finished execution',
    prometheus: 'svc_notifier_action_executions_seconds',
  },
  'notifier.notify_trigger.post': {
    kind: 'counted timer',
    when: 'All notifications of one section (on-success, on-failure, on-complete) were sent',
    prometheus: 'svc_notifier_notify_trigger_post_seconds',
  },
  'notifier.notify_trigger.dispatch': {
    kind: 'counted timer',
    when: 'The notification for one route was stored and published',
    prometheus: 'svc_notifier_notify_trigger_dispatch_seconds',
  },
  'notifier.generic_trigger.post': {
    kind: 'counted timer',
    when: 'The triggers for a finished execution were emitted',
    prometheus: 'svc_notifier_generic_trigger_post_seconds',
  },
  'notifier.generic_trigger.dispatch': {
    kind: 'counted timer',
    when: 'One trigger instance for a finished execution was stored and published',
    prometheus: 'svc_notifier_generic_trigger_dispatch_seconds',
  },
  'notifier.transform_message': {
    kind: 'timer',
    when: 'The message and data of a section were rendered',
    prometheus: 'svc_notifier_transform_message_seconds',
  },
  'timers.fired.{type}': {
    kind: 'counter',
    when: 'A timer fired (type: IntervalTimer, DateTimer, CronTimer)',
    prometheus: 'svc_timers_fired_total',
  },
  'timers.missed.{type}': {
    kind: 'counter',
    when: 'A timer skipped missed ticks; counted once, however many ticks it skipped',
    prometheus: 'svc_timers_missed_total',
  },
  'timers.lateness': {
    kind: 'timer',
    when: 'Delay between the due time of a timer and its firing',
    prometheus: 'svc_timers_lateness_seconds',
  },
  'timers.active': {
    kind: 'gauge',
    when: 'Timers that are still to fire; only the process that fires them reports any',
    prometheus: 'svc_timers_active',
  },
  'rule.processed': {
    kind: 'counted timer',
    when: 'A rules engine processed a trigger instance: it matched the rules and requested their actions',
    prometheus: 'svc_rule_processed_seconds',
  },
  'trigger.{trigger}.processed': { kind: 'counted timer', when: 'The same, by trigger' },
  'rule.matched': { kind: 'counter', when: 'A rule matched a trigger instance' },
  'rule.{rule}.matched': {
    kind: 'counter',
    when: 'The same, by rule',
    prometheus: 'svc_rule_matched_total',
  },
  '{service}.request.total': { kind: 'counter', when: 'A request was answered (service: api, auth, stream)' },
  '{service}.request.method.{method}': { kind: 'counter', when: 'The same, by method' },
  '{service}.request.path.{path}': {
    kind: 'counter',
    when: 'The same, by the path of the route: prefixed with `/v1`, with underscores for slashes and parameter names for values',
  },
  '{service}.response.status.{code}': { kind: 'counter', when: 'The same, by status code' },
  '{service}.request': {
    kind: 'counted timer',
    when: 'Time until a request was answered; for streams, until the connection was closed',
  },
  http_requests: {
    kind: 'counter',
    when: 'Answered requests',
    prometheus: 'svc_http_requests_total',
    labels: ['service', 'operation', 'method', 'code'],
  },
  http_request: {
    kind: 'timer',
    when: 'Time until a request was answered; for streams, until the connection was closed',
    prometheus: 'svc_http_request_seconds',
    labels: ['service', 'operation'],
    long: true,
  },
  login_failures_by_user: {
    kind: 'counter',
    when: 'A login failed, by the name that was given; after 100 names `(other)`',
    prometheus: 'svc_login_failures_by_user_total',
    labels: ['user'],
  },
  login_failures_by_address: {
    kind: 'counter',
    when: 'A login failed, by the address of the client; after 100 addresses `(other)`',
    prometheus: 'svc_login_failures_by_address_total',
    labels: ['address'],
  },
  'stream.connections': {
    kind: 'gauge',
    when: 'Open event streams',
    prometheus: 'svc_stream_connections',
  },
  'amqp.pool_publisher.publish_with_retries.{exchange}': {
    kind: 'timer',
    when: 'Time until the broker confirmed a message',
    prometheus: 'svc_amqp_publish_seconds',
  },
  'amqp.publish.{change}': {
    kind: 'timer',
    when: 'The same, by the change of a record: create, update, delete, or state for a new status',
  },
} as const satisfies Record<string, MetricRow>;

type Table = typeof metricTable;

export type MetricName = keyof Table;

/** The names of the measurements of some kinds. */
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

/** The labels as an argument, which is absent if the name has none. */
export type LabelArguments<Name extends MetricName> = [LabelName<Name>] extends [never] ? [] : [labels: LabelsOf<Name>];

export const rowOf = (name: MetricName): MetricRow => metricTable[name];

const PLACEHOLDER = /\{(\w+)\}/g;

/** The labels of a measurement, in the order of their placeholders. */
export const labelsOf = (name: MetricName): readonly string[] =>
  rowOf(name).labels ?? [...name.matchAll(PLACEHOLDER)].map(([, label = '']) => label);

/** Characters that separate the parts of a statsd line, or are not printable. */
const NOT_IN_NAMES = /[^\w.-]+/g;

/** `action.{action}.executions` with its labels filled in. */
export const flatName = (name: MetricName, labels: Readonly<Record<string, string>> = {}): string =>
  name.replace(PLACEHOLDER, (_, label: string) => (labels[label] ?? 'unknown').replace(NOT_IN_NAMES, '_'));
