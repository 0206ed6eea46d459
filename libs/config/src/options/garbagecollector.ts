import { bool, legacy } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

const keepsRecords = legacy('old records are not removed yet');

export const garbagecollector = {
  collection_interval: keepsRecords,
  sleep_delay: keepsRecords,
  action_executions_ttl: keepsRecords,
  action_executions_output_ttl: keepsRecords,
  trigger_instances_ttl: keepsRecords,
  rule_enforcements_ttl: keepsRecords,
  tokens_ttl: legacy('expired tokens are always removed after a day'),
  traces_ttl: keepsRecords,
  workflow_executions_ttl: keepsRecords,
  task_executions_ttl: keepsRecords,
  // The reference leaves it off: its inquiries wait for ever, whatever limit they name.
  purge_inquiries: bool(true, 'Time out inquiries that are older than their own limit.'),
  health_port: healthPort,
  logging: loggingFile,
};
