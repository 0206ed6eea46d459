import { bool, intOption, legacy } from '../option';
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

const keepsRecords = legacy('old records are not removed yet');

export const garbagecollector = {
  collection_interval: intOption(600, 'Interval between searches for old audit records, in seconds.', { minimum: 1 }),
  sleep_delay: keepsRecords,
  action_executions_ttl: keepsRecords,
  action_executions_output_ttl: keepsRecords,
  trigger_instances_ttl: keepsRecords,
  rule_enforcements_ttl: keepsRecords,
  tokens_ttl: legacy('expired tokens are always removed after a day'),
  traces_ttl: keepsRecords,
  workflow_executions_ttl: keepsRecords,
  task_executions_ttl: keepsRecords,
  audit_ttl: intOption(null, 'Remove audit records that are older than this, in days. Unset: never.', { minimum: 1 }),
  // The default in StackStorm is false: its inquiries wait forever, whatever limit they set.
  purge_inquiries: bool(true, 'Time out inquiries that are older than the limit they set.'),
  health_port: healthPort,
  logging: loggingFile,
};
