/** When an alert fires, in the notation of promtool: one sample a minute for two hours. */
export interface AlertCase {
  readonly alert: string;
  /** Series in which something is wrong; they replace those of a healthy system with the same name. */
  readonly broken: Readonly<Record<string, string>>;
  /** The labels of the alert besides its severity. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly summary: string;
}

const MINUTES = 120;
const steady = (value: number) => `${value}x${MINUTES}`;
const rising = (perMinute: number) => `0+${perMinute}x${MINUTES}`;
const TARGET = '{instance="a:9103",job="switchyard"}';
const OF_TARGET = { instance: 'a:9103', job: 'switchyard' };

const LIMITS = ['0.1', '1', '5', '10', '+Inf'];

/** The buckets of a histogram whose values are all just below a limit, which must be in the list. */
const buckets = (name: string, labels: string, limit: string): Record<string, string> =>
  Object.fromEntries(
    LIMITS.map((each, index) => [
      `${name}_bucket{${labels}le="${each}"}`,
      index < LIMITS.indexOf(limit) ? steady(0) : rising(10),
    ]),
  );

const REQUESTS = 'service="api",operation="getExecutions",';

/** The series of a system in which no alert fires. */
export const healthySeries: Readonly<Record<string, string>> = {
  [`up${TARGET}`]: steady(1),
  'svc_executions{status="requested"}': steady(1),
  'svc_executions{status="canceling"}': '0 1 0 1x20 0x97',
  'svc_pool_waiting{pool="gpu"}': steady(2),
  'svc_pool_active{pool="gpu"}': steady(3),
  'svc_pool_waiting_age_seconds{pool="gpu"}': steady(20),
  svc_actionrunner_slots_used: steady(5),
  svc_actionrunner_slots: steady(60),
  'svc_action_executions_entered_total{status="succeeded"}': rising(9),
  'svc_action_executions_entered_total{status="failed"}': rising(1),
  svc_scheduler_handle_execution_seconds_count: rising(10),
  svc_timers_active: steady(4),
  ...buckets('svc_timers_lateness_seconds', '', '0.1'),
  'svc_timers_missed_total{type="core.st2.CronTimer"}': steady(3),
  svc_sensorcontainer_exits_total: `0x60 2x60`,
  'svc_http_requests_total{service="api",code="200"}': rising(99),
  'svc_http_requests_total{service="api",code="500"}': rising(1),
  ...buckets('svc_http_request_seconds', REQUESTS, '0.1'),
  ...buckets('svc_http_request_seconds', 'service="stream",operation="stream",', '10'),
  ...buckets('svc_action_executions_update_status_seconds', '', '0.1'),
  ...buckets('svc_amqp_publish_seconds', '', '0.1'),
  [`nodejs_eventloop_lag_p99_seconds${TARGET}`]: steady(0.02),
  [`process_open_fds${TARGET}`]: steady(100),
  [`process_max_fds${TARGET}`]: steady(1000),
  svc_login_failures_by_user_total: rising(1),
};

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'SwitchyardDown',
    broken: { [`up${TARGET}`]: steady(0) },
    labels: OF_TARGET,
    summary: 'a:9103 does not answer.',
  },
  {
    alert: 'SwitchyardNoScheduler',
    broken: {
      'svc_executions{status="requested"}': '1x60 stale',
      'svc_executions{status="canceling"}': '0x60 stale',
    },
    summary: 'No scheduler reports the executions of the system.',
  },
  {
    alert: 'SwitchyardQueueOld',
    broken: { 'svc_pool_waiting_age_seconds{pool="gpu"}': steady(600) },
    labels: { pool: 'gpu' },
    summary: 'Executions of the pool gpu have been waiting for 10m 0s.',
  },
  {
    alert: 'SwitchyardPoolNotRunning',
    broken: { 'svc_pool_active{pool="gpu"}': '3x60 0x60' },
    labels: { pool: 'gpu' },
    summary: 'Executions of the pool gpu wait, and none is running.',
  },
  {
    alert: 'SwitchyardSlotsFull',
    broken: { svc_actionrunner_slots_used: steady(59) },
    summary: '98.33% of all slots are in use.',
  },
  {
    alert: 'SwitchyardManyFailures',
    broken: { 'svc_action_executions_entered_total{status="failed"}': rising(27) },
    summary: '75% of the executions fail.',
  },
  {
    alert: 'SwitchyardAbandoned',
    broken: { 'svc_action_executions_entered_total{status="abandoned"}': '0x90 1x30' },
    summary: 'Executions were abandoned in the last 15 minutes.',
  },
  {
    alert: 'SwitchyardSchedulerStuck',
    broken: { svc_scheduler_handle_execution_seconds_count: '0+10x60 600x60' },
    summary: 'Executions are requested and slots are free, but no scheduler releases any.',
  },
  {
    alert: 'SwitchyardControlStuck',
    broken: { 'svc_executions{status="canceling"}': '0x50 2x70' },
    labels: { status: 'canceling' },
    summary: 'Executions have been canceling for half an hour.',
  },
  {
    alert: 'SwitchyardNoTimerLeader',
    broken: { svc_timers_active: '4x80 0x40' },
    summary: 'No process fires timers.',
  },
  {
    alert: 'SwitchyardTimersLate',
    broken: buckets('svc_timers_lateness_seconds', '', '10'),
    summary: 'Timers fire up to 9.95s late.',
  },
  {
    alert: 'SwitchyardTimersMissed',
    broken: { 'svc_timers_missed_total{type="core.st2.CronTimer"}': '3x92 4x30' },
    labels: { type: 'core.st2.CronTimer' },
    summary: 'Timers of the type core.st2.CronTimer missed ticks.',
  },
  {
    alert: 'SwitchyardSensorsExit',
    broken: { svc_sensorcontainer_exits_total: rising(1) },
    summary: 'Sensors exited 15 times in 15 minutes.',
  },
  {
    alert: 'SwitchyardRequestsFail',
    broken: { 'svc_http_requests_total{service="api",code="500"}': rising(11) },
    labels: { service: 'api' },
    summary: '10% of the requests to api fail.',
  },
  {
    alert: 'SwitchyardRequestsSlow',
    broken: buckets('svc_http_request_seconds', REQUESTS, '5'),
    labels: { service: 'api' },
    summary: 'Requests to api take up to 4.96s.',
  },
  {
    alert: 'SwitchyardStoreSlow',
    broken: buckets('svc_action_executions_update_status_seconds', '', '5'),
    summary: 'Storing the end of a run takes up to 4.96s.',
  },
  {
    alert: 'SwitchyardBrokerSlow',
    broken: buckets('svc_amqp_publish_seconds', '', '5'),
    summary: 'The broker takes up to 4.96s to confirm messages.',
  },
  {
    alert: 'SwitchyardEventLoopSlow',
    broken: { [`nodejs_eventloop_lag_p99_seconds${TARGET}`]: steady(1.5) },
    labels: OF_TARGET,
    summary: 'The event loop of a:9103 is delayed by 1.5s.',
  },
  {
    alert: 'SwitchyardFileDescriptors',
    broken: { [`process_open_fds${TARGET}`]: steady(900) },
    labels: OF_TARGET,
    summary: 'a:9103 uses 90% of its file descriptors.',
  },
  {
    alert: 'SwitchyardLoginFailures',
    broken: { svc_login_failures_by_user_total: rising(20) },
    summary: '200 logins failed in ten minutes.',
  },
];
