import { bool, float, int } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

const days = (what: string, value: number | null = null) =>
  int(value, `Days after which ${what} are deleted; unset or 0 for never.`, { minimum: 0 });

export const garbagecollector = {
  collection_interval: int(600, 'Seconds between two collections.', { minimum: 1 }),
  sleep_delay: float(2, 'Seconds between two kinds of records.', { minimum: 0 }),
  action_executions_ttl: days('executions'),
  action_executions_output_ttl: days('stored outputs of executions', 7),
  trigger_instances_ttl: days('trigger instances'),
  rule_enforcements_ttl: days('rule enforcements'),
  tokens_ttl: days('expired tokens'),
  traces_ttl: days('traces'),
  workflow_executions_ttl: days('workflow executions'),
  task_executions_ttl: days('task executions'),
  // The reference leaves it off: its inquiries wait for ever, whatever limit they name.
  purge_inquiries: bool(true, 'Time out inquiries that are older than their own limit.'),
  health_port: healthPort,
  logging: loggingFile,
};
