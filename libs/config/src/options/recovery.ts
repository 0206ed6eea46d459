import { bool, intOption, legacy, path } from '../option';
import { healthPort, loggingFile } from './each-service';

export const sweep = {
  interval_ms: intOption(2000, 'Interval between searches for work whose message was lost, in milliseconds.', {
    minimum: 50,
  }),
  older_than_ms: intOption(5000, 'How long work waits before its message counts as lost, in milliseconds.', {
    minimum: 0,
  }),
};

export const instances = {
  heartbeat_ms: intOption(1500, 'Interval between heartbeats of a process, in milliseconds.', { minimum: 100 }),
  lease_ms: intOption(6000, 'Time without a heartbeat after which a process counts as dead, in milliseconds.', {
    minimum: 200,
  }),
};

/** In StackStorm, 0 and no value both mean never. */
const ttl = (what: string, days: number | null = null) =>
  intOption(days, `Remove ${what} after this many days. Unset or 0: never.`, { minimum: 0 });

export const garbagecollector = {
  collection_interval: intOption(600, 'Interval between searches for old records, in seconds.', { minimum: 1 }),
  sleep_delay: legacy('old records are removed in short steps with pauses between them'),
  action_executions_ttl: ttl('ended executions, with all that belongs to them,'),
  action_executions_output_ttl: ttl('stored lines of output', 7),
  trigger_instances_ttl: ttl('events that were processed'),
  rule_enforcements_ttl: ttl('rule enforcements'),
  tokens_ttl: legacy('expired tokens are always removed after a day'),
  traces_ttl: ttl('traces'),
  workflow_executions_ttl: ttl('the journals of ended workflows, while their executions are kept,'),
  task_executions_ttl: legacy('tasks are removed with their workflow, see workflow_executions_ttl'),
  archive_path: path(
    null,
    'Append executions, events, rule enforcements and traces to files in this directory before they are removed, as lines of JSON.',
  ),
  audit_ttl: intOption(null, 'Remove audit records that are older than this, in days. Unset: never.', { minimum: 1 }),
  // The default in StackStorm is false: its inquiries wait forever, whatever limit they set.
  purge_inquiries: bool(true, 'Time out inquiries that are older than the limit they set.'),
  health_port: healthPort,
  logging: loggingFile(),
};
