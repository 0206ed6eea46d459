import { bool, intOption, legacy, path, str } from '../option';
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
    'Store executions, events, rule enforcements and traces here before they are removed, as lines of JSON: in files of this directory, or in objects below s3://BUCKET/PREFIX.',
  ),
  archive_s3_endpoint: str(
    null,
    'Address of an S3-compatible store for archive_path, such as https://s3.example.org. Unset: AWS.',
  ),
  archive_s3_region: str('us-east-1', 'Region of the bucket.'),
  archive_s3_path_style: bool(
    null,
    'Name the bucket in the path of requests, not in the host name. Unset: only with archive_s3_endpoint.',
  ),
  archive_s3_access_key_id: str(null, 'Access key for the bucket. Unset: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'),
  archive_s3_secret_access_key: str(null, 'Secret key of archive_s3_access_key_id.', { secret: true }),
  archive_s3_session_token: str(null, 'Session token of archive_s3_access_key_id, for temporary credentials.', {
    secret: true,
  }),
  audit_ttl: intOption(null, 'Remove audit records that are older than this, in days. Unset: never.', { minimum: 1 }),
  // The default in StackStorm is false: its inquiries wait forever, whatever limit they set.
  purge_inquiries: bool(true, 'Time out inquiries that are older than the limit they set.'),
  health_port: healthPort,
  logging: loggingFile(),
};
